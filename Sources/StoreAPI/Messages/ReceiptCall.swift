// SPDX-License-Identifier: Apache-2.0

/// Asks for the app receipt as of now.
package struct ReceiptCall: AppCall, Hashable {
    package static let path = StorePath.receipt

    /// Keys the sign-in sheet, when one is needed.
    @Limited<RequestIdentifier> package var requestIdentifier: String
    @Limited<Identifier> package var bundleIdentifier: String
    @Limited<AppText> package var applicationVersion: String
    /// Whether the customer may be asked to sign in: true for
    /// `SKReceiptRefreshRequest`, false for the agent's own refreshes.
    package var mayAskToSignIn: Bool
    /// What the receipt shall look like, in the sandbox; `nil` for as it is.
    package var properties: ReceiptProperties?

    package init(
        requestIdentifier: String, bundleIdentifier: String, applicationVersion: String, mayAskToSignIn: Bool,
        properties: ReceiptProperties? = nil
    ) {
        self.requestIdentifier = requestIdentifier
        self.bundleIdentifier = bundleIdentifier
        self.applicationVersion = applicationVersion
        self.mayAskToSignIn = mayAskToSignIn
        self.properties = properties
    }

    package struct Answer: Codable, Sendable, Hashable {
        package var sheet: String?
        package var failure: PaymentFailure?
        /// The receipt, base64 of its DER.
        package var receipt: String?
        /// The account's event number that the receipt is as new as.
        package var position: EventPosition?

        package init(
            sheet: String? = nil, failure: PaymentFailure? = nil, receipt: String? = nil,
            position: EventPosition? = nil
        ) {
            self.sheet = sheet
            self.failure = failure
            self.receipt = receipt
            self.position = position
        }
    }
}

/// The states that an app can ask for in the sandbox, to see what it makes of
/// such a receipt (`SKReceiptPropertyIsExpired` and its like).
package struct ReceiptProperties: Codable, Sendable, Hashable {
    package var isExpired: Bool
    package var isRevoked: Bool
    package var isVolumePurchase: Bool

    package init(isExpired: Bool = false, isRevoked: Bool = false, isVolumePurchase: Bool = false) {
        self.isExpired = isExpired
        self.isRevoked = isRevoked
        self.isVolumePurchase = isVolumePurchase
    }
}
