// SPDX-License-Identifier: Apache-2.0

/// Chooses the numbers of transactions, of at most 15 decimal digits.
protocol SerialNumbers: Sendable {
    /// Returns a number that it hasn't returned in the same second.
    mutating func next(at second: Int64, using generator: inout some RandomNumberGenerator) -> Int64
}

/// Draws numbers at random: ten digits of the time in seconds since 1970, which
/// suffice until the year 2286, and then five random ones.
///
/// No number is drawn twice within a second. After ten thousand numbers in a
/// second, those of the next one are drawn.
struct DrawnSerials: SerialNumbers {
    private static let perSecond: Int64 = 100_000
    private static let lastSecond: Int64 = 9_999_999_999

    /// The second in which `numbers` were drawn.
    private var second: Int64 = 0
    private var numbers: Set<Int64> = []

    mutating func next(at time: Int64, using generator: inout some RandomNumberGenerator) -> Int64 {
        let time = min(max(0, time), Self.lastSecond)
        if time != second {
            second = time
            numbers = []
        }
        while true {
            let later = Int64(numbers.count) / (Self.perSecond / 10)
            let random = Int64.random(in: 0..<Self.perSecond, using: &generator)
            let number = min(second + later, Self.lastSecond) * Self.perSecond + random
            if numbers.insert(number).inserted { return number }
        }
    }
}
