// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The contents of an app receipt: the app, the device, and the purchases
/// made in the app.
///
/// This value proves nothing about its signer. Bytes from outside become an
/// ``UnverifiedAppReceipt``, and only an ``AppReceiptVerifier`` creates a
/// ``VerifiedAppReceipt`` from them.
///
/// A receipt stores dates to the second; a fraction is dropped when it is
/// encoded.
public struct AppReceipt: Sendable, Hashable {
    /// Which environment issued the receipt (attribute 0).
    public var environment: Environment
    /// The app's numeric identifier in the store (attribute 1).
    public var appIdentifier: Int64?
    /// The app's bundle identifier (attribute 2).
    public var bundleIdentifier: String
    /// The version of the app that the receipt was issued to (attribute 3).
    public var applicationVersion: String
    /// Bytes chosen by the store, which make the device hashes of two
    /// receipts differ (attribute 4).
    public var opaqueValue: Data
    /// The SHA-1 hash that ties the receipt to a device, 20 bytes
    /// (attribute 5); see
    /// ``deviceHash(deviceIdentifier:opaqueValue:bundleIdentifier:)``.
    public var deviceHash: Data
    /// When the receipt was issued (attribute 12).
    public var creationDate: Date
    /// The store's number for this download of the app (attribute 15).
    public var downloadIdentifier: Int64?
    /// The store's number for this version of the app (attribute 16).
    public var versionExternalIdentifier: Int64?
    /// The purchases made in the app (attribute 17).
    ///
    /// A receipt doesn't store their order. The initialiser and the parser
    /// sort them by purchase date, then by transaction identifier.
    public var inAppPurchases: [InAppPurchase]
    /// The date of the app's first download (attribute 18).
    public var originalPurchaseDate: Date?
    /// The version of the app at its first download (attribute 19), or an
    /// empty string if the receipt has none.
    public var originalApplicationVersion: String
    /// When the receipt expires (attribute 21).
    public var expirationDate: Date?
    /// The attributes without a property here, which are encoded unchanged.
    ///
    /// The initialiser and the parser sort them.
    public var unknownAttributes: [UnknownAttribute]

    /// A receipt with these contents.
    public init(
        environment: Environment,
        bundleIdentifier: String,
        applicationVersion: String,
        opaqueValue: Data,
        deviceHash: Data,
        creationDate: Date,
        inAppPurchases: [InAppPurchase] = [],
        originalApplicationVersion: String = "",
        originalPurchaseDate: Date? = nil,
        expirationDate: Date? = nil,
        appIdentifier: Int64? = nil,
        downloadIdentifier: Int64? = nil,
        versionExternalIdentifier: Int64? = nil,
        unknownAttributes: [UnknownAttribute] = []
    ) {
        self.environment = environment
        self.appIdentifier = appIdentifier
        self.bundleIdentifier = bundleIdentifier
        self.applicationVersion = applicationVersion
        self.opaqueValue = opaqueValue
        self.deviceHash = deviceHash
        self.creationDate = creationDate
        self.downloadIdentifier = downloadIdentifier
        self.versionExternalIdentifier = versionExternalIdentifier
        self.inAppPurchases = inAppPurchases.sorted(by: InAppPurchase.comesBefore)
        self.originalPurchaseDate = originalPurchaseDate
        self.originalApplicationVersion = originalApplicationVersion
        self.expirationDate = expirationDate
        self.unknownAttributes = unknownAttributes.sorted()
    }
}
