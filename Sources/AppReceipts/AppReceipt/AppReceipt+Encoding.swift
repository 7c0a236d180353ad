// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AppReceipt {
    /// The receipt as DER, which is the signed content of the PKCS#7 message.
    /// `purchases` are values of further attributes 17, already encoded.
    ///
    /// - Throws: ``AppReceiptError`` if a date is outside of the years 0 to
    ///   9999, or an unknown attribute has the type of a known one.
    func encodedPayload(appending purchases: [Data] = []) throws(AppReceiptError) -> [UInt8] {
        var attributes: [ReceiptAttribute] = []
        attributes.reserveCapacity(13 + inAppPurchases.count + unknownAttributes.count)

        attributes.append(.init(Field.environment, utf8: environment.rawValue))
        attributes.append(.init(Field.bundleIdentifier, utf8: bundleIdentifier))
        attributes.append(.init(Field.applicationVersion, utf8: applicationVersion))
        attributes.append(.init(Field.opaqueValue, octets: opaqueValue))
        attributes.append(.init(Field.deviceHash, octets: deviceHash))
        attributes.append(try .init(Field.creationDate, date: creationDate))
        if let appIdentifier { attributes.append(.init(Field.appIdentifier, integer: appIdentifier)) }
        if let downloadIdentifier {
            attributes.append(.init(Field.downloadIdentifier, integer: downloadIdentifier))
        }
        if let versionExternalIdentifier {
            attributes.append(.init(Field.versionExternalIdentifier, integer: versionExternalIdentifier))
        }
        if let originalPurchaseDate {
            attributes.append(try .init(Field.originalPurchaseDate, date: originalPurchaseDate))
        }
        if !originalApplicationVersion.isEmpty {
            attributes.append(.init(Field.originalApplicationVersion, utf8: originalApplicationVersion))
        }
        if let expirationDate { attributes.append(try .init(Field.expirationDate, date: expirationDate)) }
        for purchase in inAppPurchases {
            attributes.append(.init(Field.inAppPurchase, encoded: try purchase.encoded()))
        }
        for purchase in purchases {
            attributes.append(.init(Field.inAppPurchase, encoded: [UInt8](purchase)))
        }
        for attribute in unknownAttributes {
            attributes.append(try .init(attribute, unknownTo: Field.self))
        }
        return ReceiptAttribute.encode(attributes)
    }
}
