// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// A closure on its way through the pool.
struct Work: Sendable {
    /// What a closure may do, and beside whom.
    enum Kind: Hashable, Sendable {
        /// Reads one snapshot, beside everybody.
        case read
        /// Changes one account's rows, after the closures before it for the
        /// same account.
        case account(String)
        /// Changes anything.
        case write
    }

    let kind: Kind
    let job: ClosureJob
    let added: ContinuousClock.Instant
    var cancellation: Cancellation?

    /// How often it has run for nothing.
    var attempts = 0

    /// It goes on after errors: a savepoint before each statement.
    var isCareful = false

    /// It changes the schema, and so needs the schema's lock.
    var changesSchema = false

    /// Others were in its way too often: none of this process' is any more.
    var isAlone = false
}
