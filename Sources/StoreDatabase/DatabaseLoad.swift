// SPDX-License-Identifier: Apache-2.0

/// How busy a database is: its connections, and the closures that wait for
/// one.
public struct DatabaseLoad: Hashable, Sendable {
    /// The connections that run a closure. On SQLite the writer is the only
    /// connection that is counted.
    public var connectionsInUse = 0
    /// The open connections that run no closure.
    public var idleConnections = 0
    /// The write closures that don't run yet.
    public var waitingWrites = 0
    /// The read closures that don't run yet.
    public var waitingReads = 0
    /// Whether the last attempt to reach the database succeeded. A database
    /// in this process is always reachable.
    public var isReachable = true

    /// Makes the load of a database without connections.
    public init() {}
}
