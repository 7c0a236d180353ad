// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

/// The journal's state apart from its entries.
struct JournalState: Sendable, Hashable {
    /// The last sequence number of an entry or app request.
    var sequence: Int64
    /// The number of requests for the whole queue so far.
    var question: Int64
    /// `Sandbox` or `Production`; `nil` before the store has answered.
    var environment: String?
    /// The position of the last event that was applied.
    var position: EventPosition?
    /// The position up to which the receipt on disk is current.
    var receipt: EventPosition?
    /// The position that the receipt on disk has to reach.
    var wantedReceipt: EventPosition?
    /// The storefront of the account that was signed in last.
    var storefront: StorefrontInfo?

    /// Whether the receipt on disk is older than required or another
    /// account's.
    var needsReceipt: Bool {
        guard let wantedReceipt else { return false }
        guard let receipt, receipt.account == wantedReceipt.account else { return true }
        return receipt.number < wantedReceipt.number
    }

    /// Requires a receipt of at least a position.
    mutating func wantReceipt(_ position: EventPosition) {
        if let wanted = wantedReceipt, wanted.account == position.account, wanted.number >= position.number { return }
        wantedReceipt = position
    }

    /// The account whose receipt belongs on this device.
    var receiptAccount: String? { (wantedReceipt ?? position)?.account }

    /// Requires receipts of the account that the store has answered for.
    ///
    /// Does nothing when the required account has changed since the request
    /// was sent: the answer is late then.
    mutating func follow(_ answered: EventPosition, askedFor account: String?) {
        guard answered.account != receiptAccount, account == receiptAccount else { return }
        wantedReceipt = answered
    }

    /// Discards the receipt's position and requires a new receipt when the
    /// queue's snapshot is older: the store was restored from a backup.
    mutating func noticeBackup(_ snapshot: EventPosition) {
        let known = [receipt, wantedReceipt].compactMap { $0 }.filter { $0.account == snapshot.account }
        guard known.contains(where: { $0.number > snapshot.number }) else { return }
        receipt = nil
        wantedReceipt = snapshot
    }

    /// Whether a receipt with a position may replace the one on disk.
    func mayReplaceReceipt(with position: EventPosition) -> Bool {
        guard position.account == receiptAccount else { return false }
        guard let receipt, receipt.account == position.account else { return true }
        return receipt.number <= position.number
    }
}

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
            wantedReceipt: try EventPosition(row, "wanted_account", "wanted_number"),
            storefront: try JournalJSON.decode(StorefrontInfo.self, row.get("storefront")))
    }

    func save(_ connection: any Connection) throws {
        try connection.run(
            """
            UPDATE journal SET sequence = $1, question = $2, environment = $3, account = $4, number = $5,
                receipt_account = $6, receipt_number = $7, wanted_account = $8, wanted_number = $9,
                storefront = $10
            """,
            [
                sequence, question, environment, position?.account, position?.number, receipt?.account,
                receipt?.number, wantedReceipt?.account, wantedReceipt?.number, try JournalJSON.encode(storefront),
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
