// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the value of an attribute.
///
/// It also accepts forms of the value that the encoder doesn't write, and
/// sets the reader's `isCanonical` to false for them.
struct ReceiptValue<Value> {
    /// The value, or nil if the encoded value means "none".
    let read: (inout DERReader) throws(AppReceiptError) -> Value?
}

extension ReceiptValue<Data> {
    /// The octets as they are.
    static var octets: Self { Self { Data($0.rest()) } }
}

extension ReceiptValue<Int64> {
    static var integer: Self { Self { reader throws(AppReceiptError) in try reader.integer() } }
}

extension ReceiptValue<Bool> {
    /// 0 is false and 1 is true. Other numbers are true, but not canonical.
    static var flag: Self {
        Self { reader throws(AppReceiptError) in
            let number = try reader.integer()
            if number != 0, number != 1 { reader.isCanonical = false }
            return number != 0
        }
    }
}

extension ReceiptValue<String> {
    static var string: Self {
        Self { reader throws(AppReceiptError) in
            let text = try reader.text(.utf8String)
            // Decoding replaces invalid UTF-8, so the octets differ in that
            // case.
            let string = String(decoding: text, as: UTF8.self)
            guard string.utf8.elementsEqual(text) else { throw reader.malformed("not UTF-8") }
            return string
        }
    }
}

extension ReceiptValue<Date> {
    /// A date, or nil for an empty string, which real receipts have in place
    /// of a missing date.
    static var date: Self {
        Self { reader throws(AppReceiptError) in
            let text = try reader.text(.ia5String)
            if text.count != ReceiptDate.length { reader.isCanonical = false }
            return text.isEmpty ? nil : try ReceiptDate.parse(text)
        }
    }
}

extension DERReader {
    /// Reads a UTF8String or an IA5String. `ours` is the one that the encoder
    /// writes.
    fileprivate mutating func text(_ ours: DERTag) throws(AppReceiptError) -> ArraySlice<UInt8> {
        let other: DERTag = ours == .utf8String ? .ia5String : .utf8String
        guard isNext(other) else { return try octets(ours) }
        isCanonical = false
        return try octets(other)
    }
}
