// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// How one run of a closure is to be done.
struct Manner {
    let kind: Work.Kind

    /// A savepoint before each statement: the closure goes on after errors.
    var isCareful = false

    /// The session holds the lock of the schema.
    var holdsSchemaLock = false

    let accountLock: String

    var access: Access { kind == .read ? .read : .write }

    /// The statement that begins the transaction.
    var begin: String {
        switch kind {
        case .read: "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
        case .account: "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE"
        case .write: "BEGIN ISOLATION LEVEL SERIALIZABLE, READ WRITE"
        }
    }

    struct Opening {
        let sql: String
        let parameters: Parameters
    }

    /// What goes before the closure's first statement, in the same round trip.
    var opening: [Opening] {
        get throws {
            switch kind {
            case .read: []
            case .account(let account):
                [Self.number, Opening(sql: accountLock, parameters: try Parameters([account]))]
            case .write: [Self.number]
            }
        }
    }

    private static let number = Opening(
        sql: "SELECT pg_current_xact_id()::text AS transaction_number", parameters: .none)
}
