// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension JournalState {
    static func load(_ connection: any Connection) throws -> JournalState {
        guard let row = try connection.row("SELECT * FROM journal") else {
            throw DatabaseError(.other, "The journal has lost its first row. Remove the file to begin anew.")
        }
        return JournalState(
            sequence: try row.get("sequence"), question: try row.get("question"),
            environment: try row.get("environment"),
            position: try EventPosition(row, "account", "number"),
            receipt: try EventPosition(row, "receipt_account", "receipt_number"),
            needsReceiptAgain: try row.get("needs_receipt_again"), receiptQuestion: try row.get("receipt_question"),
            snapshotQuestion: try row.get("snapshot_question"),
            wantedReceipt: try EventPosition(row, "wanted_account", "wanted_number"),
            storefront: try JournalJSON.decode(StorefrontInfo.self, row.get("storefront")),
            clockOffset: try row.get("clock_offset"),
            priceIncreases: try JournalJSON.decode([String].self, row.get("price_increases")))
    }

    func save(_ connection: any Connection) throws {
        try connection.run(
            """
            UPDATE journal SET sequence = $1, question = $2, environment = $3, account = $4, number = $5,
                receipt_account = $6, receipt_number = $7, wanted_account = $8, wanted_number = $9,
                storefront = $10, clock_offset = $11, price_increases = $12, receipt_question = $13,
                snapshot_question = $14, needs_receipt_again = $15
            """,
            [
                sequence, question, environment, position?.account, position?.number, receipt?.account,
                receipt?.number, wantedReceipt?.account, wantedReceipt?.number, try JournalJSON.encode(storefront),
                clockOffset, try JournalJSON.encode(priceIncreases), receiptQuestion, snapshotQuestion,
                needsReceiptAgain,
            ])
    }

    /// Loads the state, changes it and saves it.
    @discardableResult
    static func update<T>(_ connection: any Connection, _ change: (inout JournalState) throws -> T) throws -> T {
        var state = try load(connection)
        let result = try change(&state)
        try state.save(connection)
        return result
    }

    /// The next sequence number of an entry or app request.
    static func nextSequence(_ connection: any Connection) throws -> Int64 {
        try update(connection) { state in
            state.sequence += 1
            return state.sequence
        }
    }
}

extension EventPosition {
    /// Reads a position from two columns that are both filled or both empty.
    init?(_ row: Row, _ account: String, _ number: String) throws {
        guard let name: String = try row.get(account), let count: Int64 = try row.get(number) else { return nil }
        self.init(account: name, number: count)
    }
}
