// SPDX-License-Identifier: Apache-2.0

package import StoreCore

/// Asks for the current app receipt.
package struct ReceiptCall: AppCall, Hashable {
    package static let path = StorePath.receipt

    /// The identifier of the sign-in sheet's request, when a sheet is needed.
    @Limited<RequestIdentifierText> package var requestIdentifier: String
    @Limited<Identifier> package var bundleIdentifier: String
    /// The app's version, which is written into the receipt.
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

    /// The receipt, or the sheet or failure that replaces it. It is empty
    /// when no account is signed in and the customer may not be asked to sign
    /// in.
    package struct Answer: Codable, Sendable, Hashable {
        /// The address of the sign-in sheet; `nil` unless the customer has to
        /// sign in first.
        package var sheet: String?
        /// Why the request failed, for example because the customer cancelled
        /// the sheet; `nil` when it didn't fail.
        package var failure: PurchaseFailure?
        /// The receipt, base64 of its DER.
        package var receipt: String?
        /// The account's last event that the receipt includes.
        package var position: EventPosition?

        package init(
            sheet: String? = nil, failure: PurchaseFailure? = nil, receipt: String? = nil,
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
    /// Whether the receipt expired a day before its creation date.
    package var isExpired: Bool
    /// Whether the receipt and all its purchases are revoked, at its creation
    /// date.
    package var isRevoked: Bool
    /// Whether the receipt has the environment of volume purchases.
    package var isVolumePurchase: Bool

    package init(isExpired: Bool = false, isRevoked: Bool = false, isVolumePurchase: Bool = false) {
        self.isExpired = isExpired
        self.isRevoked = isRevoked
        self.isVolumePurchase = isVolumePurchase
    }
}
