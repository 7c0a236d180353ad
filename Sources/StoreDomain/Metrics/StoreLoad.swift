// SPDX-License-Identifier: Apache-2.0

/// The use of a store's resources at a moment.
package struct StoreLoad: Hashable, Sendable {
    /// The password hashes that wait or run.
    package var passwordHashes: Int
    /// The database connections that run a closure.
    package var connectionsInUse: Int
    /// The open database connections that run no closure.
    package var idleConnections: Int
    /// The writes that don't run yet.
    package var waitingWrites: Int
    /// The reads that don't run yet.
    package var waitingReads: Int
    /// Whether the database could be reached when it was used last.
    package var isDatabaseReachable: Bool
}
