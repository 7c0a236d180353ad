// SPDX-License-Identifier: Apache-2.0

import AppReceipts
package import Foundation

/// A field of Apple's answers about receipts.
package struct ReceiptKey: CodingKey, ExpressibleByStringLiteral {
    package var stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
    package init(stringLiteral value: String) { stringValue = value }
}

extension KeyedEncodingContainer where Key == ReceiptKey {
    /// Encodes a date in Apple's three forms: `X`, `X_ms` and `X_pst`.
    package mutating func encode(_ date: Date, spellings name: String) throws {
        try encode(StoreDateText.text(date, .gmt) ?? "", forKey: ReceiptKey(stringValue: name))
        try encode(StoreDateText.milliseconds(date), forKey: ReceiptKey(stringValue: name + "_ms"))
        try encode(StoreDateText.text(date, .pacific) ?? "", forKey: ReceiptKey(stringValue: name + "_pst"))
    }
}
