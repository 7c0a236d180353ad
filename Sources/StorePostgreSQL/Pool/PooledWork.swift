// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// A job of the pool: a closure and the options of its next attempt.
struct PooledWork: Sendable {
    /// The rows that a closure may change.
    enum Kind: Hashable, Sendable {
        /// None: reads one snapshot, concurrently with all other jobs.
        case read
        /// Those of a scope.
        case write(WriteScope)
    }

    let kind: Kind
    let job: ClosureJob
    let added: ContinuousClock.Instant
    var cancellation: Cancellation?

    /// The number of attempts that have to be repeated, because of a conflict,
    /// a lost connection, missing savepoints or the missing schema lock.
    var attempts = 0

    /// Whether a savepoint precedes each statement, so that the closure can
    /// continue after an error.
    var usesSavepoints = false

    /// Whether the closure changes the schema and therefore needs its lock.
    var changesSchema = false

    /// Whether an earlier attempt lost its connection during the commit, and
    /// its result isn't known. An error then can't say that nothing was
    /// changed.
    var mayBeCommitted = false

    /// Set after repeated conflicts. The job then runs while no other write of
    /// all rows of this process does.
    var isExclusive = false
}
