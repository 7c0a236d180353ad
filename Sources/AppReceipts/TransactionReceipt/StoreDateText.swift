// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Dates in the format of `verifyReceipt` and of transaction receipts:
/// `2012-12-02 07:15:54 Etc/GMT`, and the same for Los Angeles.
package enum StoreDateText {
    /// The time zone of a date's text.
    package enum Zone: String, Sendable {
        /// Greenwich.
        case gmt = "Etc/GMT"
        /// Los Angeles, the time zone of the App Store.
        case pacific = "America/Los_Angeles"
    }

    /// The text of a date without its fraction of a second; nil outside of
    /// the years 0 to 9999.
    package static func text(_ date: Date, _ zone: Zone) -> String? {
        let offset = zone == .gmt ? 0 : pacific?.secondsFromGMT(for: date) ?? 0
        guard let text = try? ReceiptDate.encode(date.addingTimeInterval(Double(offset))) else { return nil }
        return String(decoding: text[..<10] + [0x20] + text[11..<19], as: UTF8.self) + " " + zone.rawValue
    }

    /// Milliseconds since 1970, rounded to the nearest whole number.
    package static func milliseconds(_ date: Date) -> String {
        String(Int64(clamping: (date.timeIntervalSince1970 * 1000).rounded()))
    }

    /// The date, rounded to the nearest millisecond.
    static func rounded(_ date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
    }

    /// Reads a text that ``text(_:_:)`` has made for Greenwich.
    static func date(_ text: String) -> Date? {
        guard text.hasSuffix(" " + Zone.gmt.rawValue) else { return nil }
        var bytes = Array(text.utf8.dropLast(Zone.gmt.rawValue.utf8.count + 1))
        guard bytes.count == 19, bytes[10] == 0x20 else { return nil }
        bytes[10] = UInt8(ascii: "T")
        return try? ReceiptDate.parse((bytes + "Z".utf8)[...])
    }

    /// Reads a text that ``milliseconds(_:)`` has made.
    static func date(milliseconds text: String) -> Date? {
        Int64(text).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    private static let pacific = TimeZone(identifier: Zone.pacific.rawValue)
}

extension Int64 {
    fileprivate init(clamping value: Double) {
        self = Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }
}
