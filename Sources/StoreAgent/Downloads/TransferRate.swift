// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The rate of a transfer, smoothed by an exponential average, from which the
/// remaining time is estimated.
struct TransferRate: Sendable {
    /// The time constant of the average, in milliseconds: a change of the rate
    /// counts two thirds after this time.
    static let window = 5_000.0
    /// The time without an estimate at the beginning, in milliseconds.
    static let warmUp: Int64 = 1_000
    /// The shortest time over which the rate is measured, in milliseconds.
    static let step: Int64 = 200

    private var began: Int64?
    private var last: (now: Int64, received: Int64)?
    /// Bytes in a millisecond.
    private var average: Double?
    private var now: Int64 = 0

    /// Records the number of bytes that have arrived by a time.
    mutating func record(_ received: Int64, at now: Int64) {
        self.now = now
        guard let last, now >= last.now, received >= last.received else {
            // The first record, or the clock was set back, or the transfer
            // has started over.
            began = now
            last = (now, received)
            average = nil
            return
        }
        let elapsed = now - last.now
        guard elapsed >= Self.step else { return }
        let current = Double(received - last.received) / Double(elapsed)
        let weight = 1 - exp(-Double(elapsed) / Self.window)
        average = average.map { $0 + weight * (current - $0) } ?? current
        self.last = (now, received)
    }

    /// The estimated time for a number of bytes, in milliseconds; `nil` when
    /// it is unknown.
    func remaining(_ bytes: Int64) -> Int64? {
        guard let began, let average, average > 0, now - began >= Self.warmUp else { return nil }
        let estimate = Double(bytes) / average
        return estimate < Self.longest ? Int64(estimate) : nil
    }

    /// A longer time counts as unknown: a hundred days.
    private static let longest = 8_640_000_000.0
}
