// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A signed app transaction: which app an account has, and since when.
public struct AppTransactionPayload: SignedPayload {
    /// All fields, also those that this version has no name for.
    public var members: [String: JSONValue] = [:]

    /// A payload without fields.
    public init() {}

    /// The fields that have a name and a type.
    public static let fields = Fields()
    /// The types that the fields are held to.
    public static let types = PayloadTypes(of: Fields())

    /// When the store signed it.
    public var dateOfSigning: Date? { self.receiptCreationDate }
    /// The app.
    public var statedBundleIdentifier: String? { self.bundleId }
    /// The environment.
    public var statedEnvironment: PayloadEnvironment? { self.receiptType }

    /// The fields that have a name and a type.
    public struct Fields: Sendable {
        /// The environment.
        public let receiptType = PayloadField<PayloadEnvironment>("receiptType")
        /// The app's number in the store.
        public let appAppleId = PayloadField<Int64>("appAppleId")
        /// The app.
        public let bundleId = PayloadField<String>("bundleId")
        /// The app's version.
        public let applicationVersion = PayloadField<String>("applicationVersion")
        /// The store's number for this version of the app.
        public let versionExternalIdentifier = PayloadField<Int64>("versionExternalIdentifier")
        /// When the store signed this.
        public let receiptCreationDate = PayloadField<Date>("receiptCreationDate")
        /// When the device asked; in Xcode's payloads.
        public let requestDate = PayloadField<Date>("requestDate")
        /// When the app itself was first got.
        public let originalPurchaseDate = PayloadField<Date>("originalPurchaseDate")
        /// The version of the app that was first got.
        public let originalApplicationVersion = PayloadField<String>("originalApplicationVersion")
        /// When the app was ordered in advance.
        public let preorderDate = PayloadField<Date>("preorderDate")
        /// The account's transaction for the app itself.
        public let appTransactionId = PayloadField<String>("appTransactionId")
        /// Where the app was first got, such as `iOS`.
        public let originalPlatform = PayloadField<String>("originalPlatform")
        /// Ties the payload to a device, base64.
        public let deviceVerification = PayloadField<String>("deviceVerification")
        /// The UUID that device verification is computed with.
        public let deviceVerificationNonce = PayloadField<String>("deviceVerificationNonce")
    }
}
