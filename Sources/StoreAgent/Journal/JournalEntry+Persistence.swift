// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreDatabase

extension JournalEntry {
    init(_ row: Row) throws {
        let phase: String = try row.get("phase")
        guard let phase = Phase(rawValue: phase) else {
            throw DatabaseError(.newerSchema, "An entry of the journal is in the phase \"\(phase)\", unknown here.")
        }
        self.init(
            identifier: try row.get("identifier"), sequence: try row.get("sequence"), request: try row.get("request"),
            payment: AgentPayment(
                productIdentifier: try row.get("product"), quantity: try row.get("quantity"),
                applicationUsername: try row.get("username"), simulatesAskToBuy: try row.get("asks_to_buy"),
                discount: try JournalJSON.decode(DiscountInfo.self, row.get("discount")),
                winBackOffer: try row.get("win_back_offer"),
                introductoryOfferEligibility: try row.get("introductory_eligibility"),
                isAwaited: try row.get("is_awaited")),
            date: try row.get("date"), phase: phase, adder: try row.get("adder"), holder: try row.get("holder"),
            restore: try row.get("restore"),
            transaction: try JournalJSON.decode(TransactionInfo.self, row.get("info")),
            position: try EventPosition(row, "account", "number"), question: try row.get("question"),
            failure: try JournalJSON.decode(PurchaseFailure.self, row.get("failure")), sheet: try row.get("sheet"),
            isWithdrawn: try row.get("is_withdrawn"), listed: try row.get("listed"))
    }

    static func load(_ connection: any Connection, _ identifier: String) throws -> JournalEntry? {
        try connection.row("SELECT * FROM entry WHERE identifier = $1", [identifier]).map { try JournalEntry($0) }
    }

    /// The entry of a transaction of the store.
    static func load(_ connection: any Connection, transaction: String) throws -> JournalEntry? {
        try connection.row("SELECT * FROM entry WHERE transaction_identifier = $1", [transaction])
            .map { try JournalEntry($0) }
    }

    /// The entry of a request.
    static func load(_ connection: any Connection, request: String) throws -> JournalEntry? {
        try connection.row("SELECT * FROM entry WHERE request = $1", [request]).map { try JournalEntry($0) }
    }

    /// The entries in some phases, oldest first.
    static func load(_ connection: any Connection, in phases: [Phase]) throws -> [JournalEntry] {
        let places = phases.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return try connection.rows(
            "SELECT * FROM entry WHERE phase IN (\(places)) ORDER BY sequence", phases.map(\.rawValue)
        ).map { try JournalEntry($0) }
    }

    /// The entries that an app may see, oldest first.
    ///
    /// Entries that wait for a receipt and have no request of this device
    /// aren't read: a store may send many of them.
    static func loadShown(_ connection: any Connection) throws -> [JournalEntry] {
        let phases: [Phase] = [.added, .sending, .waiting, .deferred, .ready, .failed]
        return try connection.rows(
            """
            SELECT * FROM entry
            WHERE phase IN ($1, $2, $3, $4, $5, $6) OR (phase = $7 AND request IS NOT NULL) ORDER BY sequence
            """, (phases + [.arrived]).map(\.rawValue)
        ).map { try JournalEntry($0) }
    }

    /// The ready entries of other accounts, oldest first.
    static func ready(_ connection: any Connection, butNotOf account: String) throws -> [JournalEntry] {
        try connection.rows(
            "SELECT * FROM entry WHERE phase = $1 AND account <> $2 ORDER BY sequence",
            [Phase.ready.rawValue, account]
        ).map { try JournalEntry($0) }
    }

    /// Inserts the entry's row, or updates it except for the columns that never
    /// change.
    func save(_ connection: any Connection) throws {
        let change: Int64? = try connection.row("UPDATE journal SET change = change + 1 RETURNING change")?
            .get("change")
        let fixed: KeyValuePairs<String, any DatabaseValueConvertible> = [
            "identifier": identifier, "sequence": sequence, "request": request, "product": payment.productIdentifier,
            "quantity": payment.quantity, "username": payment.applicationUsername,
            "asks_to_buy": payment.simulatesAskToBuy, "discount": try JournalJSON.encode(payment.discount),
            "win_back_offer": payment.winBackOffer,
            "introductory_eligibility": payment.introductoryOfferEligibility, "is_awaited": payment.isAwaited,
        ]
        let changing: KeyValuePairs<String, any DatabaseValueConvertible> = [
            "date": date, "phase": phase.rawValue, "adder": adder, "holder": holder, "restore": restore,
            "transaction_identifier": transaction?.transactionIdentifier, "info": try JournalJSON.encode(transaction),
            "account": position?.account, "number": position?.number, "question": question,
            "failure": try JournalJSON.encode(failure), "sheet": sheet, "is_withdrawn": isWithdrawn,
            "listed": listed, "change": change ?? 0,
        ]
        let columns = Array(fixed) + Array(changing)
        try connection.run(
            """
            INSERT INTO entry (\(columns.map(\.key).joined(separator: ", ")))
            VALUES (\(columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")))
            ON CONFLICT (identifier) DO UPDATE
            SET \(changing.map { "\($0.key) = excluded.\($0.key)" }.joined(separator: ", "))
            """, columns.map(\.value))
    }

    /// The entries that were changed after a given change, oldest change
    /// first, with the number of the last one read.
    static func changed(
        _ connection: any Connection, after change: Int64, limit: Int
    ) throws -> (entries: [JournalEntry], last: Int64) {
        let rows = try connection.rows(
            "SELECT * FROM entry WHERE change > $1 ORDER BY change LIMIT $2", [change, limit])
        return (try rows.map { try JournalEntry($0) }, try rows.last?.get("change") ?? change)
    }

    /// Records the process that holds an entry. Its change number stays:
    /// other processes don't have to read it again.
    static func hold(_ connection: any Connection, _ identifier: String, by process: String) throws {
        try connection.run("UPDATE entry SET holder = $2 WHERE identifier = $1", [identifier, process])
    }

    func delete(_ connection: any Connection) throws {
        try connection.run("UPDATE journal SET departures = departures + 1")
        try connection.run("DELETE FROM entry WHERE identifier = $1", [identifier])
        if let transaction {
            try connection.run(
                "DELETE FROM transaction_receipt WHERE transaction_identifier = $1",
                [transaction.transactionIdentifier])
            try Journal.deleteDownloads(connection, of: transaction.transactionIdentifier)
        }
    }
}

/// Encodes values that the journal stores as JSON in one column.
enum JournalJSON {
    static func encode(_ value: (some Encodable)?) throws -> String? {
        try value.map { String(decoding: try StoreCoding.encode($0), as: UTF8.self) }
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String?) throws -> Value? {
        try text.map { try StoreCoding.decode(type, from: Data($0.utf8)) }
    }
}
