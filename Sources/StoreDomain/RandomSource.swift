// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreCore
import Synchronization

/// The source of every random value of the store (identifiers, secrets,
/// salts). A test repeats a run by passing a seeded generator.
package final class RandomSource: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>
    /// The last counted number; `nil` when numbers are drawn.
    private let counted: Mutex<Int64?>
    private let drawn = Mutex(DrawnSerials())

    /// A source that draws from a generator.
    ///
    /// With `countsNumbers`, ``serial(at:)`` counts up from 1, so that a test
    /// can see the order of transactions in their identifiers. A store that
    /// sells must not count: customers could derive the number of its
    /// purchases.
    package init(_ generator: some RandomNumberGenerator & Sendable, countsNumbers: Bool = false) {
        self.generator = Mutex(generator)
        counted = Mutex(countsNumbers ? 0 : nil)
    }

    /// Returns `count` random bytes.
    package func bytes(_ count: Int) -> Data {
        generator.withLock { generator in
            Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        }
    }

    /// Random bytes in lower-case hexadecimal.
    package func hexadecimal(bytes count: Int) -> String {
        bytes(count).hexadecimal
    }

    /// A number of at most 15 decimal digits for a transaction: ten of the
    /// time in seconds since 1970, which suffice until the year 2286, and then
    /// five random ones.
    ///
    /// The source returns no number twice within a second. When it has drawn
    /// ten thousand numbers in a second, it takes those of the next one.
    package func serial(at second: Int64) -> Int64 {
        let next = counted.withLock { last -> Int64? in
            last = last.map { $0 + 1 }
            return last
        }
        if let next { return next }
        return drawn.withLock { drawn in
            generator.withLock { generator in drawn.draw(at: second, using: &generator) }
        }
    }

    /// A random number generator that draws from this source.
    package var drawing: Drawing { Drawing(source: self) }

    /// A random number generator that shares the source's generator.
    package struct Drawing: RandomNumberGenerator {
        fileprivate let source: RandomSource

        package mutating func next() -> UInt64 {
            source.generator.withLock { $0.next() }
        }
    }
}

/// The serial numbers that were drawn in the present second.
private struct DrawnSerials {
    private static let perSecond: Int64 = 100_000
    private static let lastSecond: Int64 = 9_999_999_999

    private var second: Int64 = 0
    private var numbers: Set<Int64> = []

    mutating func draw(at time: Int64, using generator: inout some RandomNumberGenerator) -> Int64 {
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
