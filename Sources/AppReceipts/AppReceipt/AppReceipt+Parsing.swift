// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AppReceipt {
    /// Limits the memory that reading takes. The longest message has room for
    /// some 15,000 purchases, and each purchase is one attribute.
    private static let mostAttributes = 50_000

    /// Reads a receipt from BER or DER.
    ///
    /// Xcode writes BER. The reader's `isCanonical` becomes false if the
    /// input isn't the DER that ``encodedPayload()`` writes.
    init(reading reader: inout DERReader) throws(AppReceiptError) {
        var attributes = try ReceiptAttributeSet<Field>(
            reading: &reader, atMost: Self.mostAttributes, many: .inAppPurchase)
        var purchases: [InAppPurchase] = []
        purchases.reserveCapacity(attributes.many.count)
        for value in attributes.many {
            purchases.append(try attributes.read(value, InAppPurchase.init(reading:)))
        }
        let originalApplicationVersion = try attributes.take(.originalApplicationVersion, as: .string)
        self.init(
            environment: Environment(rawValue: try attributes.required(.environment, as: .string)),
            bundleIdentifier: try attributes.required(.bundleIdentifier, as: .string),
            applicationVersion: try attributes.required(.applicationVersion, as: .string),
            opaqueValue: try attributes.required(.opaqueValue, as: .octets),
            deviceHash: try attributes.required(.deviceHash, as: .octets),
            creationDate: try attributes.required(.creationDate, as: .date),
            inAppPurchases: purchases,
            originalApplicationVersion: originalApplicationVersion ?? "",
            originalPurchaseDate: try attributes.take(.originalPurchaseDate, as: .date),
            expirationDate: try attributes.take(.expirationDate, as: .date),
            appIdentifier: try attributes.take(.appIdentifier, as: .integer),
            downloadIdentifier: try attributes.take(.downloadIdentifier, as: .integer),
            versionExternalIdentifier: try attributes.take(.versionExternalIdentifier, as: .integer),
            unknownAttributes: attributes.unknown)
        // The encoder leaves out an empty version.
        if !attributes.isCanonical || originalApplicationVersion == "" { reader.isCanonical = false }
    }

    /// Reads a receipt, and throws if bytes follow it.
    init(payload: ArraySlice<UInt8>) throws(AppReceiptError) {
        var reader = DERReader(payload)
        try self.init(reading: &reader)
        try reader.finish()
    }
}
