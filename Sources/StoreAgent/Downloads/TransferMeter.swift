// SPDX-License-Identifier: Apache-2.0

/// Decides when the progress of a transfer is reported.
struct TransferMeter: Sendable {
    /// The shortest time between two reports, in milliseconds: at most four a
    /// second.
    static let pause: Int64 = 250

    private var rate = TransferRate()
    private var reported: Int64?

    /// Records the bytes that have arrived.
    ///
    /// - Returns: the estimated time until the end, if a report is due.
    mutating func report(_ received: Int64, of length: Int64, at now: Int64) -> Report? {
        rate.record(received, at: now)
        if let reported, (reported..<reported + Self.pause).contains(now) { return nil }
        reported = now
        return Report(received: received, remaining: rate.remaining(max(0, length - received)))
    }

    struct Report: Sendable, Hashable {
        var received: Int64
        var remaining: Int64?
    }
}
