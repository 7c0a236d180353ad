// SPDX-License-Identifier: Apache-2.0

import Foundation

extension StoreTime {
    /// The moment in the form of ISO 8601, with whole seconds in UTC:
    /// `2026-03-01T00:00:00Z`.
    package var iso8601: String { date.formatted(.iso8601) }

    /// Reads a moment of the years 2000 to 9999 in the form of ISO 8601:
    /// `2026-03-01T02:00:00+02:00`, with or without a fraction of the second,
    /// or `2026-03-01`, its first second in UTC. `nil` for any other text.
    ///
    /// Foundation's own style accepts a text that only begins with a date.
    package init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, let day = Self.day(bytes[..<10]) else { return nil }
        var time = Time(milliseconds: 0)
        if bytes.count > 10 {
            guard let read = Time(bytes[10...]) else { return nil }
            time = read
        }
        let moment = StoreTime(milliseconds: Int64(day) * 86_400_000 + time.milliseconds)
        guard (BillingCalendar.earliest...BillingCalendar.latest).contains(moment) else { return nil }
        self = moment
    }

    private static func day(_ bytes: ArraySlice<UInt8>) -> Int? {
        let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], let year = number(parts[0]), let month = number(parts[1]),
            let day = number(parts[2]), year >= 1970, (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        // The 31st of a shorter month is another date.
        return CivilDate(dayNumber: date.dayNumber) == date ? date.dayNumber : nil
    }

    /// The number that only digits make.
    fileprivate static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}

/// The time of a day with its zone: `T02:00:00.5+02:00`.
private struct Time {
    /// From the day's midnight in UTC.
    var milliseconds: Int64

    init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 10, bytes.first == UInt8(ascii: "T"),
            let seconds = Self.clock(bytes.dropFirst().prefix(8), parts: 3)
        else { return nil }
        var rest = bytes.dropFirst(9)
        var thousandths = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard (1...9).contains(digits.count) else { return nil }
            rest = rest.dropFirst(1 + digits.count)
            thousandths = StoreTime.number(ArraySlice((digits + [0x30, 0x30]).prefix(3))) ?? 0
        }
        guard let offset = Self.offset(rest) else { return nil }
        milliseconds = Int64(seconds - offset) * 1000 + Int64(thousandths)
    }

    /// The seconds of `hh:mm` or `hh:mm:ss`.
    private static func clock(_ bytes: ArraySlice<UInt8>, parts count: Int) -> Int? {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.count == 2 ? StoreTime.number($0) : nil }
        guard parts.count == count, numbers.count == count, numbers[0] < 24, numbers[1...].allSatisfy({ $0 < 60 })
        else { return nil }
        return (numbers + [0])[..<3].reduce(0) { $0 * 60 + $1 }
    }

    /// The seconds of a zone from UTC: `Z` or `+02:00`.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        switch bytes.first {
        case UInt8(ascii: "Z") where bytes.count == 1: 0
        case UInt8(ascii: "+"): clock(bytes.dropFirst(), parts: 2)
        case UInt8(ascii: "-"): clock(bytes.dropFirst(), parts: 2).map { -$0 }
        default: nil
        }
    }
}
