// SPDX-License-Identifier: Apache-2.0

/// Asks for the current app receipt.
package struct ReceiptCall: AppCall, Hashable {
    package static let path = StorePath.receipt

    /// The identifier of the sign-in sheet's request, when a sheet is needed.
    @Limited<RequestIdentifier> package var requestIdentifier: String
    @Limited<Identifier> package var bundleIdentifier: String
    @Limited<AppText> package var applicationVersion: String
    /// Whether the customer may be asked to sign in: true for
    /// `SKReceiptRefreshRequest`, false for the agent's own refreshes.
    package var mayAskToSignIn: Bool
    /// The special states of the receipt, which only the sandbox supports;
    /// `nil` for none.
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
        /// The account's last event that the receipt includes.
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

/// The special states of a receipt that an app can ask for in the sandbox, to
/// test how it handles them (`SKReceiptPropertyIsExpired` and related keys).
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
