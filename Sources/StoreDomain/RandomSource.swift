// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Synchronization

/// Randomness that came in through the front door: everything that the store
/// makes up (identifiers, secrets, salts) is drawn from one of these, so that a
/// test can repeat a run from a seed.
package final class RandomSource: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>
    /// The last number that was counted instead of drawn; `nil` for drawing.
    private let counted: Mutex<Int?>

    /// A source that draws from a generator.
    ///
    /// With `countsNumbers` its numbers follow one another, so that a test can
    /// tell by them what came first; who runs a store doesn't want customers
    /// to count its purchases.
    package init(_ generator: some RandomNumberGenerator & Sendable, countsNumbers: Bool = false) {
        self.generator = Mutex(generator)
        counted = Mutex(countsNumbers ? 0 : nil)
    }

    package func bytes(_ count: Int) -> Data {
        generator.withLock { generator in
            Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        }
    }

    /// Random bytes in lower-case hexadecimal.
    package func hexadecimal(bytes count: Int) -> String {
        bytes(count).hexadecimal
    }

    /// A random number of exactly so many decimal digits, as text, that begins
    /// with the given digits.
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

    /// A generator that draws from this source, for what takes one.
    package var drawing: Drawing { Drawing(source: self) }

    package struct Drawing: RandomNumberGenerator {
        fileprivate let source: RandomSource

        package mutating func next() -> UInt64 {
            source.generator.withLock { $0.next() }
        }
    }
}

extension Data {
    /// Lower-case hexadecimal.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(count * 2)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads hexadecimal; `nil` for anything else.
    package init?(hexadecimal text: String) {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: characters.count, by: 2) {
            guard let byte = UInt8(String(decoding: characters[index...index + 1], as: UTF8.self), radix: 16),
                characters[index] != UInt8(ascii: "+"), characters[index] != UInt8(ascii: "-")
            else { return nil }
            bytes.append(byte)
        }
        self.init(bytes)
    }
}
