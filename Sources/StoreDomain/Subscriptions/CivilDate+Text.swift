// SPDX-License-Identifier: Apache-2.0

extension CivilDate {
    /// The number of the day of a text such as `2026-12-31`, after 1970-01-01;
    /// `nil` for a text that is none.
    static func number(of text: String) -> Int? {
        guard let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/), let year = Int(match.1),
            let month = Int(match.2), let day = Int(match.3), year >= 1970, (1...12).contains(month), day >= 1
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        return CivilDate(dayNumber: date.dayNumber) == date ? date.dayNumber : nil
    }

    /// The day as a text such as `2026-12-31`.
    var text: String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(padded(month))-\(padded(day))"
    }
}
