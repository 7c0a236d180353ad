// SPDX-License-Identifier: Apache-2.0

/// Counts the numbers of transactions up from 1, so that a test can see their
/// order in their identifiers.
///
/// A store that sells must not count: customers could derive the number of its
/// purchases.
struct CountedSerials: SerialNumbers {
    private var last: Int64 = 0

    mutating func next(at second: Int64, using generator: inout some RandomNumberGenerator) -> Int64 {
        last += 1
        return last
    }
}

extension RandomSource {
    /// A source for tests, whose transactions have the numbers 1, 2, 3 …
    package static func counting(_ generator: some RandomNumberGenerator & Sendable) -> RandomSource {
        RandomSource(generator, serials: CountedSerials())
    }
}
