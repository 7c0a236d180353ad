// SPDX-License-Identifier: Apache-2.0

/// The largest numbers of calls that wait for a database.
///
/// A call beyond them throws ``DatabaseError`` with the code `overloaded`
/// immediately. Its closure isn't run. A call that is urgent is never refused,
/// and counts as waiting.
public struct WaitingLimits: Sendable, Hashable {
    /// The writes that wait. The default is the work of about two seconds.
    public var writes = 4_096

    /// The reads that wait. A commit may cause one read for each event stream.
    public var reads = 16_384

    /// The limits for a store.
    public init() {}

    /// No limits, for a database whose callers are few and can't repeat a
    /// call.
    public static let none: WaitingLimits = {
        var limits = WaitingLimits()
        limits.writes = .max
        limits.reads = .max
        return limits
    }()
}

extension DatabaseError {
    /// The error for a call beyond the limits; `work` is "writes" or "reads".
    package static func overloaded(_ database: String, work: String, limit: Int) -> DatabaseError {
        DatabaseError(
            .overloaded,
            "\(database) has too much to do: \(limit) \(work) wait already. Nothing was begun; try again later.")
    }
}
