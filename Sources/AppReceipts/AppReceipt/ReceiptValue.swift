// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How the value of an attribute is read.
///
/// Others' forms of a value are read too, and noted as not being the one that
/// we write.
struct ReceiptValue<Value> {
    /// The value, or nil if there is one that means "none".
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
    /// 0 or 1; others mean 1.
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
            // What isn't UTF-8 comes out repaired, and so as other octets.
            let string = String(decoding: text, as: UTF8.self)
            guard string.utf8.elementsEqual(text) else { throw reader.malformed("not UTF-8") }
            return string
        }
    }
}

extension ReceiptValue<Date> {
    /// A date, or none for an empty string, as real receipts write it.
    static var date: Self {
        Self { reader throws(AppReceiptError) in
            let text = try reader.text(.ia5String)
            if text.count != ReceiptDate.length { reader.isCanonical = false }
            return text.isEmpty ? nil : try ReceiptDate.parse(text)
        }
    }
}

extension DERReader {
    /// UTF8String or IA5String, of which we write this one.
    fileprivate mutating func text(_ ours: DERTag) throws(AppReceiptError) -> ArraySlice<UInt8> {
        let other: DERTag = ours == .utf8String ? .ia5String : .utf8String
        guard isNext(other) else { return try octets(ours) }
        isCanonical = false
        return try octets(other)
    }
}
