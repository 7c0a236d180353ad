// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AppReceipt {
    /// Reads a receipt from BER or DER.
    ///
    /// BER, because Xcode's receipts are; whether ours is exactly the DER
    /// that we would have written is the verifier's question.
    ///
    /// - Throws: ``AppReceiptError``, or an ASN.1 error.
    init(payload: ArraySlice<UInt8>) throws {
        var attributes = try ReceiptAttributeSet(parsing: payload, within: .receipt)
        self.init(
            environment: Environment(rawValue: try attributes.required(Field.environment).string()),
            bundleIdentifier: try attributes.required(Field.bundleIdentifier).string(),
            applicationVersion: try attributes.required(Field.applicationVersion).string(),
            opaqueValue: Data(try attributes.required(Field.opaqueValue).value),
            deviceHash: Data(try attributes.required(Field.deviceHash).value),
            creationDate: try attributes.required(Field.creationDate).requiredDate(),
            inAppPurchases: try attributes.takeAll(Field.inAppPurchase).map { try InAppPurchase(parsing: $0.value) },
            originalApplicationVersion: try attributes.take(Field.originalApplicationVersion)?.string() ?? "",
            originalPurchaseDate: try attributes.take(Field.originalPurchaseDate)?.date(),
            expirationDate: try attributes.take(Field.expirationDate)?.date(),
            appIdentifier: try attributes.take(Field.appIdentifier)?.integer(),
            downloadIdentifier: try attributes.take(Field.downloadIdentifier)?.integer(),
            versionExternalIdentifier: try attributes.take(Field.versionExternalIdentifier)?.integer(),
            unknownAttributes: attributes.takeRest())
    }
}
