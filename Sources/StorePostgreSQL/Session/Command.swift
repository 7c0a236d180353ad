// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import StoreDatabase

/// A command for the server. Several commands share one round trip.
enum Command {
    /// A statement that is used once.
    case text(String, Parameters = .none)
    /// Prepares a statement under a name.
    case prepare(String, name: String, types: [Oid])
    /// Runs a prepared statement.
    case execute(name: String, Parameters)

    /// Adds the command to libpq's pipeline; `false` when the connection is
    /// lost.
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

/// A failed round trip.
enum Failure: Error {
    /// The server rejected the command with this number. It has processed the
    /// commands before it and skipped those after it.
    case refused(ServerError, command: Int)
    /// The server performed all commands, but a row holds an unsupported
    /// value.
    case unreadable(DatabaseError)
    /// The connection is lost. The server may have performed any of the
    /// commands.
    case lost(String)
}
