// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AppReceipts

struct ReceiptDateTests {
    @Test(
        "ReceiptDate writes and reads RFC 3339 in whole seconds",
        arguments: [
            (0.0, "1970-01-01T00:00:00Z"),
            (-1.0, "1969-12-31T23:59:59Z"),
            (951_782_400.0, "2000-02-29T00:00:00Z"),
            (1_708_707_820.999, "2024-02-23T17:03:40Z"),
            (64_092_211_200.0, "4001-01-01T00:00:00Z"),
            (-62_167_219_200.0, "0000-01-01T00:00:00Z"),
            (253_402_300_799.0, "9999-12-31T23:59:59Z"),
        ])
    func writesRFC3339(seconds: Double, text: String) throws {
        #expect(String(decoding: try ReceiptDate.encode(Date(timeIntervalSince1970: seconds)), as: UTF8.self) == text)
        #expect(try ReceiptDate.parse(Array(text.utf8)[...]).timeIntervalSince1970 == seconds.rounded(.down))
    }

    @Test("ReceiptDate agrees with Foundation on every day of four centuries")
    func agreesWithFoundationOnEveryDayOfFourCenturies() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var wrong: [String] = []
        for day in -62_000..<85_000 {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let (year, month, dayOfMonth) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
            let encoded = try ReceiptDate.encode(date)
            let digits = Int(String(decoding: encoded.prefix(10).filter { $0 != 0x2D }, as: UTF8.self))
            if try digits != year * 10_000 + month * 100 + dayOfMonth || ReceiptDate.parse(encoded[...]) != date {
                wrong.append(String(decoding: encoded, as: UTF8.self))
            }
        }
        #expect(wrong == [])
    }

    @Test(
        "ReceiptDate reads offsets and fractions of a second",
        arguments: [
            ("2020-07-22T18:33:15+0100", "2020-07-22T17:33:15Z"),
            ("2020-07-22T18:33:15-08:00", "2020-07-23T02:33:15Z"),
            ("2020-07-22T18:33:15.000Z", "2020-07-22T18:33:15Z"),
        ])
    func readsWhatOthersWrite(text: String, same: String) {
        #expect(Fixtures.date(text) == Fixtures.date(same))
    }

    @Test(
        "A text that isn't a date is malformed",
        arguments: [
            "", "2020", "2020-02-30T00:00:00Z", "2021-02-29T00:00:00Z", "2020-13-01T00:00:00Z", "2020-00-01T00:00:00Z",
            "2020-01-00T00:00:00Z", "2020-01-01T24:00:00Z", "2020-01-01T00:60:00Z", "2020-01-01T00:00:60Z",
            "2020-01-01T00:00:00", "2020-01-01T00:00:00ZZ", "2020-01-01 00:00:00Z", "2020-01-01T00:00:00.Z",
            "+020-01-01T00:00:00Z", "2020-01-01T00:00:00+99:00",
        ])
    func refusesWhatIsNoDate(text: String) {
        #expect(throws: AppReceiptError(.malformed, "")) { try ReceiptDate.parse(Array(text.utf8)[...]) }
    }

    @Test(
        "A date outside of the years 0 to 9999 isn't written",
        arguments: [-62_167_219_201.0, 253_402_300_800.0, .nan, .infinity, -.infinity])
    func refusesToWriteWhatDoesNotFit(seconds: Double) {
        #expect(throws: AppReceiptError(.invalidValue, "")) {
            try ReceiptDate.encode(Date(timeIntervalSince1970: seconds))
        }
    }
}
