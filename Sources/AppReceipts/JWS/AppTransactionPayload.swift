// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The payload of a signed app transaction: the app that an account has, and
/// since when.
public struct AppTransactionPayload: SignedPayload {
    /// All fields, including those that ``Fields`` doesn't have.
    public var members: [String: JSONValue] = [:]

    /// A payload without fields.
    public init() {}

    /// The fields that have a name and a type.
    public static let fields = Fields()
    /// The types that the values of the fields must have.
    public static let types = PayloadTypes(of: Fields())

    /// When the store signed the payload.
    public var dateOfSigning: Date? { self.receiptCreationDate }
    /// The app's bundle identifier.
    public var statedBundleIdentifier: String? { self.bundleId }
    /// The environment.
    public var statedEnvironment: PayloadEnvironment? { self.receiptType }

    /// The fields that have a name and a type.
    public struct Fields: Sendable {
        /// The environment.
        public let receiptType = PayloadField<PayloadEnvironment>("receiptType")
        /// The app's number in the store.
        public let appAppleId = PayloadField<Int64>("appAppleId")
        /// The app's bundle identifier.
        public let bundleId = PayloadField<String>("bundleId")
        /// The app's version.
        public let applicationVersion = PayloadField<String>("applicationVersion")
        /// The store's number for this version of the app.
        public let versionExternalIdentifier = PayloadField<Int64>("versionExternalIdentifier")
        /// When the store signed this.
        public let receiptCreationDate = PayloadField<Date>("receiptCreationDate")
        /// When the device sent the request. Only Xcode's payloads have this
        /// field.
        public let requestDate = PayloadField<Date>("requestDate")
        /// The date of the app's first download.
        public let originalPurchaseDate = PayloadField<Date>("originalPurchaseDate")
        /// The version of the app at its first download.
        public let originalApplicationVersion = PayloadField<String>("originalApplicationVersion")
        /// When the app was ordered in advance.
        public let preorderDate = PayloadField<Date>("preorderDate")
        /// When the app was refunded or isn't shared any more.
        public let revocationDate = PayloadField<Date>("revocationDate")
        /// The transaction by which the account got the app.
        public let appTransactionId = PayloadField<String>("appTransactionId")
        /// The platform of the app's first download, such as `iOS`.
        public let originalPlatform = PayloadField<String>("originalPlatform")
        /// The value that binds the payload to a device, in base64.
        public let deviceVerification = PayloadField<String>("deviceVerification")
        /// The UUID that device verification is computed with.
        public let deviceVerificationNonce = PayloadField<String>("deviceVerificationNonce")
    }
}
