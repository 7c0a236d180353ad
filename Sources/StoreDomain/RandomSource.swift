// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreCore
import Synchronization

/// The source of every random value of the store (identifiers, secrets,
/// salts). A test repeats a run by passing a seeded generator.
package final class RandomSource: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>
    /// The last counted number; `nil` when numbers are drawn.
    private let counted: Mutex<Int?>

    /// A source that draws from a generator.
    ///
    /// With `countsNumbers`, ``decimal(prefix:digits:)`` counts up from 1, so
    /// that a test can see the order of transactions in their identifiers. A
    /// store that sells must not count: customers could derive the number of
    /// its purchases.
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

    /// A random number of `digits` decimal digits, as text, that begins with
    /// `prefix`.
    package func decimal(prefix: String, digits: Int) -> String {
        let next = counted.withLock { last -> Int? in
            last = last.map { $0 + 1 }
            return last
        }
        if let next {
            let number = String(next)
            return prefix + String(repeating: "0", count: max(0, digits - prefix.count - number.count)) + number
        }
        return generator.withLock { generator in
            prefix
                + (prefix.count..<digits).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
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
