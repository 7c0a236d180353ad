// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreCore
import Synchronization

/// The source of every random value of the store (identifiers, secrets,
/// salts). A test repeats a run by passing a seeded generator.
package final class RandomSource: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>
    private let serials: Mutex<any SerialNumbers>

    /// A source that draws from a generator.
    package convenience init(_ generator: some RandomNumberGenerator & Sendable) {
        self.init(generator, serials: DrawnSerials())
    }

    init(_ generator: some RandomNumberGenerator & Sendable, serials: some SerialNumbers) {
        self.generator = Mutex(generator)
        self.serials = Mutex(serials)
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

    /// A random UUID in lower case (RFC 9562, version 4).
    package func uuid() -> String {
        var bytes = [UInt8](bytes(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = Data(bytes).hexadecimal
        for place in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: place)) }
        return text
    }

    /// A number of at most 15 decimal digits for a transaction. The source
    /// returns no number twice within a second.
    package func serial(at second: Int64) -> Int64 {
        serials.withLock { serials in
            generator.withLock { generator in serials.next(at: second, using: &generator) }
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
