// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import StoreDatabase

/// One thing to ask of the server; several go in one round trip.
enum Command {
    /// A statement that is used once.
    case text(String, Parameters = .none)
    /// Prepares a statement under a name.
    case prepare(String, name: String, types: [Oid])
    /// Runs a prepared statement.
    case execute(name: String, Parameters)

    /// Puts the command in libpq's line; `false` when the connection is gone.
    func send(_ connection: OpaquePointer) -> Bool {
        switch self {
        case .text(let sql, let parameters):
            parameters.withPointers { pointers in
                PQsendQueryParams(
                    connection, sql, pointers.count, parameters.types, pointers.values, pointers.lengths,
                    pointers.formats, 1) == 1
            }
        case .prepare(let sql, let name, let types):
            PQsendPrepare(connection, name, sql, Int32(types.count), types) == 1
        case .execute(let name, let parameters):
            parameters.withPointers { pointers in
                PQsendQueryPrepared(
                    connection, name, pointers.count, pointers.values, pointers.lengths, pointers.formats, 1) == 1
            }
        }
    }
}

/// Why a round trip failed.
enum Failure: Error {
    /// The server refused the command of this number; those behind it were
    /// skipped, those before it were done.
    case refused(ServerError, command: Int)
    /// All was done, but a row holds what can't be read here.
    case unreadable(DatabaseError)
    /// The connection is gone; nobody knows what of it was done.
    case lost(String)
}
