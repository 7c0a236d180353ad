// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The parts of a receipt that tell until when a subscription is paid.
///
/// The fields are those of "Receipt Fields" in Apple's Receipt Validation
/// Programming Guide. StoreKit has verified the signature before it wrote the
/// file; an app that doesn't trust its own disk verifies it again.
struct ReceiptContents {
    /// A period of an auto-renewable subscription.
    struct Period: Hashable, Sendable {
        var product: String
        var start: Date
        var end: Date
    }

    /// When the store made the receipt. A test account's time can be ahead of
    /// this computer's.
    var creationDate: Date
    /// The paid periods whose price wasn't given back.
    var periods: [Period]

    /// Reads a receipt; `nil` when the bytes are none.
    init?(_ receipt: Data) {
        guard let contents = Self.signedContents(of: receipt), let fields = Self.fields(in: contents),
            let created = fields.first(where: { $0.type == Field.creationDate })?.date
        else { return nil }
        creationDate = created
        periods = fields.filter { $0.type == Field.purchase }.compactMap { Self.period($0.value) }
    }

    /// The numbers of the fields.
    private enum Field {
        static let creationDate = 12
        static let purchase = 17
        static let productIdentifier = 1702
        static let purchaseDate = 1704
        static let expirationDate = 1708
        static let cancellationDate = 1712
    }

    /// The contents of a PKCS #7 message: SEQUENCE { signedData, [0] SEQUENCE
    /// { version, algorithms, SEQUENCE { data, [0] OCTET STRING }, … } }.
    private static func signedContents(of receipt: Data) -> ArraySlice<UInt8>? {
        guard let message = DERElement.all(in: Array(receipt)[...])?.first?.children(of: DERElement.sequence),
            message.count == 2,
            let signed = message[1].children(of: DERElement.explicit)?.first?.children(of: DERElement.sequence),
            signed.count > 2, let data = signed[2].children(of: DERElement.sequence), data.count == 2,
            let octets = data[1].children(of: DERElement.explicit)?.first, octets.tag == DERElement.octets
        else { return nil }
        return octets.contents
    }

    /// The fields of a receipt, or of a purchase in it: SET OF SEQUENCE
    /// { type, version, value }.
    private static func fields(in bytes: ArraySlice<UInt8>) -> [ReceiptField]? {
        DERElement.all(in: bytes)?.first?.children(of: DERElement.set)?.compactMap { element in
            guard let parts = element.children(of: DERElement.sequence), parts.count == 3,
                let type = parts[0].number, parts[2].tag == DERElement.octets
            else { return nil }
            return ReceiptField(type: type, value: parts[2].contents)
        }
    }

    private static func period(_ purchase: ArraySlice<UInt8>) -> Period? {
        guard let fields = fields(in: purchase) else { return nil }
        func value(_ type: Int) -> ReceiptField? { fields.first { $0.type == type } }
        guard let product = value(Field.productIdentifier)?.text, let start = value(Field.purchaseDate)?.date,
            let end = value(Field.expirationDate)?.date, value(Field.cancellationDate)?.date == nil
        else { return nil }
        return Period(product: product, start: start, end: end)
    }
}

/// A field of a receipt.
private struct ReceiptField {
    var type: Int
    var value: ArraySlice<UInt8>

    var text: String? { DERElement.all(in: value)?.first?.text }

    /// The value of a date, such as `2026-11-22T10:00:00Z`; `nil` for an
    /// empty text, which means that there is no date.
    var date: Date? { text.flatMap { try? Date($0, strategy: .iso8601) } }
}
