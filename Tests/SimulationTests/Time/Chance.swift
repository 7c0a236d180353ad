// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport

/// The random choices of a simulation, drawn from its seed.
final class Chance {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Draws whether an event of this probability, in thousandths, happens.
    func happens(_ thousandths: Int) -> Bool {
        number(in: 0..<1000) < thousandths
    }

    func number(in range: Range<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    /// A pause in milliseconds: mostly short, sometimes long, as of networks
    /// and people.
    func pause(_ short: Range<Int>, long: Range<Int>, isLong thousandths: Int = 50) -> Int64 {
        Int64(number(in: happens(thousandths) ? long : short))
    }

    func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(in: 0..<elements.count)]
    }
}
