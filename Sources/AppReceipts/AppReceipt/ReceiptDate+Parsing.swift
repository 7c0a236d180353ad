// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ReceiptDate {
    /// Reads `2024-02-23T17:03:40Z`. Also accepts a fraction of a second, and
    /// an offset with or without a colon: old versions of Xcode write
    /// `+0100`.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed``.
    static func parse(_ text: ArraySlice<UInt8>) throws(AppReceiptError) -> Date {
        guard let date = Reader(text).date() else {
            throw AppReceiptError(.malformed, "Not a date: \(String(decoding: text.prefix(40), as: UTF8.self))")
        }
        return date
    }

    private struct Reader {
        private let text: ArraySlice<UInt8>
        private var index: Int

        init(_ text: ArraySlice<UInt8>) {
            self.text = text
            index = text.startIndex
        }

        consuming func date() -> Date? {
            guard
                let year = number(digits: 4), take("-"),
                let month = number(digits: 2), take("-"),
                let day = number(digits: 2), take("T"),
                let hour = number(digits: 2), take(":"),
                let minute = number(digits: 2), take(":"),
                let second = number(digits: 2),
                let fraction = fraction(), let offset = offset(), index == text.endIndex,
                1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second < 60
            else { return nil }
            let days = ReceiptDate.days(year: year, month: month, day: day)
            // A day after the end of the month counts as a day of the next
            // month.
            let firstOfNext = ReceiptDate.days(
                year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
            guard days < firstOfNext else { return nil }
            let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
            return Date(timeIntervalSince1970: Double(seconds) + fraction)
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard index < text.endIndex, UInt32(text[index]) == character.value else { return false }
            index += 1
            return true
        }

        private mutating func number(digits: Int) -> Int? {
            guard text.endIndex - index >= digits else { return nil }
            var number = 0
            for byte in text[index..<index + digits] {
                guard 0x30...0x39 ~= byte else { return nil }
                number = number * 10 + Int(byte - 0x30)
            }
            index += digits
            return number
        }

        private mutating func fraction() -> Double? {
            guard take(".") else { return 0 }
            var fraction = 0.0
            var weight = 0.1
            var digits = 0
            while digits < 9, let digit = number(digits: 1) {
                fraction += Double(digit) * weight
                weight /= 10
                digits += 1
            }
            return digits > 0 ? fraction : nil
        }

        /// The offset in seconds east of UTC.
        private mutating func offset() -> Int? {
            if take("Z") { return 0 }
            let sign: Int
            if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
            guard let hours = number(digits: 2) else { return nil }
            _ = take(":")
            guard let minutes = number(digits: 2), hours < 24, minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}
