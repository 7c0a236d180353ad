// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AppReceipt {
    /// More than four for each of the purchases that the longest message has
    /// room for.
    private static let mostAttributes = 50_000

    /// Reads a receipt from BER or DER.
    ///
    /// BER, because Xcode's receipts are; whether ours is exactly the DER
    /// that we would have written is what the reader notices.
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
        // We leave out what isn't known.
        if !attributes.isCanonical || originalApplicationVersion == "" { reader.isCanonical = false }
    }

    /// Reads a receipt, and nothing behind it.
    init(payload: ArraySlice<UInt8>) throws(AppReceiptError) {
        var reader = DERReader(payload)
        try self.init(reading: &reader)
        try reader.finish()
    }
}
