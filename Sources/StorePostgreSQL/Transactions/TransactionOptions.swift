// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The options of one run of a closure.
struct TransactionOptions {
    let kind: PooledWork.Kind

    /// Whether a savepoint precedes each statement, so that the closure can
    /// continue after an error.
    var usesSavepoints = false

    /// Whether the session holds the schema lock.
    var holdsSchemaLock = false

    let accountLock: String

    var access: Access { kind == .read ? .read : .write }

    /// The statement that begins the transaction.
    var begin: String {
        switch kind {
        case .read: "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
        // A change of the schema waits for the writers of a table that it
        // locks, and then reads their rows: a snapshot doesn't contain them.
        case .write(.all) where holdsSchemaLock: "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE"
        case .write(.all): "BEGIN ISOLATION LEVEL SERIALIZABLE, READ WRITE"
        case .write: "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE"
        }
    }

    struct Opening {
        let sql: String
        let parameters: Parameters
    }

    /// The statements that precede the closure's first one, in the same round
    /// trip.
    var opening: [Opening] {
        get throws {
            switch kind {
            case .read: []
            case .write(.all): [Self.number]
            case .write(.account(let account)):
                [Self.number, Opening(sql: accountLock, parameters: try Parameters([account]))]
            case .write(.key(let key)):
                [Self.number, Opening(sql: Self.keyLock, parameters: try Parameters([key]))]
            }
        }
    }

    /// Two keys of one hash wait for each other, which harms nothing.
    private static let keyLock = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"

    private static let number = Opening(
        sql: "SELECT pg_current_xact_id()::text AS transaction_number", parameters: .none)
}
