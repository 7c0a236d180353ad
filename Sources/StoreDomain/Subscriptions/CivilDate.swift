// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, without a time or a zone.
struct CivilDate: Hashable, Sendable {
    var year: Int
    /// 1 to 12.
    var month: Int
    /// 1 to 31.
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that is a number of days after 1970-01-01.
    ///
    /// Years are counted from March, so that the leap day is the last day of
    /// a year, and in eras of 400 years, which all have the same length.
    ///
    /// - Parameter dayNumber: 0 or more.
    init(dayNumber: Int) {
        let (era, dayOfEra) = (dayNumber + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days after 1970-01-01; the inverse of
    /// ``init(dayNumber:)``.
    var dayNumber: Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The same day of the month, a number of months later; the last day of
    /// the month if the month is too short.
    func adding(months: Int) -> CivilDate {
        let (laterYear, monthIndex) = (year * 12 + month - 1 + months).quotientAndRemainder(dividingBy: 12)
        var later = CivilDate(year: laterYear, month: monthIndex + 1, day: 1)
        later.day = min(day, later.daysOfMonth)
        return later
    }

    private var daysOfMonth: Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
