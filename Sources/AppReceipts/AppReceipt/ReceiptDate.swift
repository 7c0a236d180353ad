// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Dates in the format of receipts: RFC 3339, in UTC, to the second.
///
/// Written by hand because Foundation's formatters are two orders of magnitude
/// slower, and a receipt has two to four dates for each purchase.
enum ReceiptDate {
    /// The number of bytes of a date that ``encode(_:)`` writes. The parser
    /// accepts no other form of this length.
    static let length = 20

    /// The 20 bytes of `2024-02-23T17:03:40Z`. A fraction is dropped.
    ///
    /// - Throws: ``AppReceiptError/Code/invalidValue`` outside of the years 0
    ///   to 9999.
    static func encode(_ date: Date) throws(AppReceiptError) -> [UInt8] {
        let interval = date.timeIntervalSince1970.rounded(.down)
        // 0000-01-01T00:00:00Z up to 9999-12-31T23:59:59Z.
        guard interval >= -62_167_219_200, interval < 253_402_300_800 else {
            throw AppReceiptError(.invalidValue, "A receipt can't hold a date \(interval) seconds from 1970")
        }
        let seconds = Int(interval)
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let (year, month, day) = civil(fromDays: days)

        var text: [UInt8] = []
        text.reserveCapacity(length)
        func append(_ number: Int, digits: Int, then separator: Character) {
            var divisor = digits == 4 ? 1000 : 10
            while divisor > 0 {
                text.append(0x30 + UInt8(number / divisor % 10))
                divisor /= 10
            }
            text.append(contentsOf: separator.utf8)
        }
        append(year, digits: 4, then: "-")
        append(month, digits: 2, then: "-")
        append(day, digits: 2, then: "T")
        append(second / 3600, digits: 2, then: ":")
        append(second / 60 % 60, digits: 2, then: ":")
        append(second % 60, digits: 2, then: "Z")
        return text
    }

    /// Converts days since 1970 to a year, month and day of the proleptic
    /// Gregorian calendar.
    ///
    /// Years are counted from March, so that the leap day is the last day of
    /// a year, and in eras of 400 years, which all have the same length.
    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The inverse of ``civil(fromDays:)``.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
