// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase

extension AppRequest {
    init(_ row: Row) throws {
        let kind: String = try row.get("kind")
        let phase: String = try row.get("phase")
        guard let kind = Kind(rawValue: kind), let phase = Phase(rawValue: phase) else {
            throw DatabaseError(.newerSchema, "An app request in the journal is a \"\(kind)\" that is \"\(phase)\".")
        }
        self.init(
            identifier: try row.get("identifier"), kind: kind, process: try row.get("process"),
            properties: try JournalJSON.decode(ReceiptProperties.self, row.get("properties")), phase: phase,
            page: try row.get("page"),
            failure: try JournalJSON.decode(PurchaseFailure.self, row.get("failure")))
    }

    static func load(_ connection: any Connection, _ identifier: String) throws -> AppRequest? {
        try connection.row("SELECT * FROM app_request WHERE identifier = $1", [identifier]).map { try AppRequest($0) }
    }

    /// All app requests, oldest first. Each process that starts deletes those
    /// of dead processes.
    static func load(_ connection: any Connection) throws -> [AppRequest] {
        try connection.rows("SELECT * FROM app_request ORDER BY sequence").map { try AppRequest($0) }
    }

    func insert(_ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO app_request (identifier, sequence, kind, process, phase, page, failure, properties)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                identifier, try JournalState.nextSequence(connection), kind.rawValue, process, phase.rawValue, page,
                try JournalJSON.encode(failure), try JournalJSON.encode(properties),
            ])
    }

    func save(_ connection: any Connection) throws {
        try connection.run(
            "UPDATE app_request SET phase = $2, page = $3, failure = $4 WHERE identifier = $1",
            [identifier, phase.rawValue, page, try JournalJSON.encode(failure)])
    }

    /// Deletes the requests of a process that has ended, except those that
    /// outlive it.
    static func delete(of process: String, _ connection: any Connection) throws {
        try connection.run(
            "DELETE FROM app_request WHERE process = $1 AND kind <> $2", [process, Kind.redemption.rawValue])
    }

    /// Deletes the redemption with an identifier, if it is one.
    static func delete(redemption identifier: String, _ connection: any Connection) throws {
        try connection.run(
            "DELETE FROM app_request WHERE identifier = $1 AND kind = $2", [identifier, Kind.redemption.rawValue])
    }

    static func delete(_ connection: any Connection, _ identifier: String) throws {
        try connection.run("DELETE FROM app_request WHERE identifier = $1", [identifier])
    }
}
