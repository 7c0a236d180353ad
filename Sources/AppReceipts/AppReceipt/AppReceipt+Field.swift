// SPDX-License-Identifier: Apache-2.0

extension AppReceipt {
    /// The attribute types of an app receipt that this version reads and
    /// writes. The others are kept as ``UnknownAttribute``.
    enum Field: Int {
        case environment = 0
        case appIdentifier = 1
        case bundleIdentifier = 2
        case applicationVersion = 3
        case opaqueValue = 4
        case deviceHash = 5
        case creationDate = 12
        case downloadIdentifier = 15
        case versionExternalIdentifier = 16
        case inAppPurchase = 17
        case originalPurchaseDate = 18
        case originalApplicationVersion = 19
        case expirationDate = 21
    }
}
