// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import Synchronization

/// The agent's source of random numbers: the system's generator in an app, a
/// seeded one in a test.
package final class AgentRandom: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>

    /// Makes a source from a generator. Identifiers and the device's secret
    /// come from it, so an app must pass a cryptographically secure one.
    package init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = Mutex(generator)
    }

    /// Random bytes in lower-case hexadecimal.
    func hexadecimal(bytes count: Int) -> String {
        let bytes = generator.withLock { generator in
            Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        }
        return bytes.hexadecimal
    }

    /// A random number from 0 up to but not including 1.
    func fraction() -> Double {
        generator.withLock { generator in Double.random(in: 0..<1, using: &generator) }
    }
}
