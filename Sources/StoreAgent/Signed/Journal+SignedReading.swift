// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

// The signed transactions of the account that is signed in, for the app.
extension Journal {
    /// The rows that a listing reads at a time.
    static let signedBatch = 50

    /// A page of transactions of a product, or of all products, the newest
    /// purchase first. With `isOwned`, only those that may be entitlements.
    func signed(
        of product: String?, isOwned: Bool, account: String?, before place: SignedRow.Place?
    ) async throws -> [SignedRow] {
        try await database.read { connection in
            guard let signedIn = try Self.signedAccount(connection), account == nil || account == signedIn else {
                return []
            }
            return isOwned
                ? try SignedRow.owned(connection, of: product, before: place, limit: Self.signedBatch)
                : try SignedRow.page(connection, of: product, before: place, limit: Self.signedBatch)
        }
    }

    /// A page of the periods of auto-renewable subscriptions, the newest purchase
    /// first.
    func signedPeriods(before place: SignedRow.Place?) async throws -> [SignedRow] {
        try await database.read { connection in
            guard try Self.hasSigned(connection) else { return [] }
            return try SignedRow.periods(connection, before: place, limit: Self.signedBatch)
        }
    }

    /// One transaction.
    func signed(_ transaction: String) async throws -> SignedRow? {
        try await database.read { connection in
            try Self.hasSigned(connection) ? try SignedRow.load(connection, transaction) : nil
        }
    }

    /// The renewals of a group, or of all groups, each with its transaction.
    func signedRenewals(of group: String?) async throws -> [(renewal: SignedRenewalRow, transaction: SignedRow)] {
        try await database.read { connection in
            guard try Self.hasSigned(connection) else { return [] }
            return try SignedRenewalRow.all(connection, of: group).compactMap { renewal in
                try SignedRow.load(connection, renewal.transactionIdentifier).map { (renewal, $0) }
            }
        }
    }

    /// The signed app transaction.
    func signedApp() async throws -> String? {
        try await database.read { connection in
            try Self.hasSigned(connection) ? try SignedState.load(connection).app : nil
        }
    }

    /// Whether the store has answered since the app has used signed
    /// transactions, and since each reason to ask it again up to a count.
    func hasSignedAnswer(upTo wanted: Int64? = nil) async throws -> Bool {
        try await database.read { connection in
            let state = try SignedState.load(connection)
            return state.known >= (wanted ?? 1)
        }
    }

    /// The account whose signed transactions aren't complete, or weren't since
    /// it has signed in; empty before the device knows an account, and `nil`
    /// when there are all.
    func accountWithoutSigned() async throws -> String? {
        try await database.read { connection in
            let (state, events) = (try SignedState.load(connection), try JournalState.load(connection).position)
            if state.known == 0 { return events?.account ?? "" }
            guard let events, state.position?.account != events.account else { return nil }
            return events.account
        }
    }

    /// The changes up to this number were delivered to the app in an earlier
    /// process.
    func deliveredSigned() async throws -> Int64 {
        try await database.read { try SignedState.load($0).delivered }
    }

    /// Records that changes were delivered.
    func deliveredSigned(upTo change: Int64) async throws {
        try await database.write { connection in
            let state = try SignedState.load(connection)
            guard state.delivered < change else { return }
            try SignedState.update(connection) { $0.delivered = change }
        }
    }

    /// The changes after a given one that are news for the app: changed
    /// transactions that aren't in the queue, and revoked ones. Of finished
    /// ones, a refund that was taken back and an extended period are news, also
    /// when a later change isn't. `last` is the number of the last change that
    /// was read.
    ///
    /// No changes are read while events are missing up to which the pages are
    /// complete: the transaction of a change may be in the queue then.
    func signedNews(after change: Int64) async throws -> (news: [SignedRow], last: Int64, isWhole: Bool) {
        try await database.read { connection in
            let state = try SignedState.load(connection)
            guard try Self.hasSigned(connection), !state.isPartial, let position = state.position,
                try JournalState.load(connection).hasEvents(upTo: position)
            else { return ([], change, true) }
            let rows = try SignedRow.changed(
                connection, after: max(change, 0), limit: Self.signedBatch)
            let news = try rows.filter { try Self.isNews($0, after: change, connection) }
            return (news, rows.last?.change ?? change, rows.count < Self.signedBatch)
        }
    }

    /// A transaction that was news after a change; `nil` when it isn't any more.
    func signedNews(_ version: SignedRow.Version, after change: Int64) async throws -> SignedRow? {
        try await database.read { connection in
            guard try Self.hasSigned(connection),
                let row = try SignedRow.load(connection, version.transactionIdentifier), row.version == version,
                try Self.isNews(row, after: change, connection)
            else { return nil }
            return row
        }
    }

    private static func isNews(_ row: SignedRow, after change: Int64, _ connection: any Connection) throws -> Bool {
        if row.isRevoked { return true }
        // A consumable is news on the device that has it, in whose queue it is, and on those whose app has finished it.
        guard row.isFinished || !row.isConsumable else { return false }
        let entry = try JournalEntry.load(connection, transaction: row.transactionIdentifier)
        if row.news > change { return entry?.isInQueue != true }
        return !row.isFinished && entry == nil
    }

    /// The unfinished transactions of the queue that a process may deliver,
    /// before a place, the newest purchase first. A refund is news: one whose
    /// refund was taken back is here again when its page has come.
    func unfinishedSigned(
        account: String?, before place: SignedRow.Place?
    ) async throws -> (rows: [(entry: JournalEntry, row: SignedRow)], processes: QueueProcesses) {
        try await database.read { connection in
            let processes = try Self.processes(connection)
            guard let signedIn = try Self.signedAccount(connection), account == nil || account == signedIn else {
                return ([], processes)
            }
            let found = try connection.rows(
                """
                SELECT signed_transaction.transaction_identifier FROM entry
                JOIN signed_transaction ON signed_transaction.transaction_identifier = entry.transaction_identifier
                WHERE entry.phase = $1 AND signed_transaction.is_revoked = 0
                    AND (signed_transaction.date, signed_transaction.transaction_identifier) < ($2, $3)
                ORDER BY signed_transaction.date DESC, signed_transaction.transaction_identifier DESC LIMIT $4
                """,
                [
                    JournalEntry.Phase.ready.rawValue, place?.date ?? Int64.max, place?.identifier ?? "",
                    Self.signedBatch,
                ])
            let rows = try found.compactMap { found -> (entry: JournalEntry, row: SignedRow)? in
                let transaction: String = try found.get("transaction_identifier")
                guard let entry = try JournalEntry.load(connection, transaction: transaction),
                    let row = try SignedRow.load(connection, transaction)
                else { return nil }
                return (entry, row)
            }
            return (rows, processes)
        }
    }

    /// Whether the rows are of the account that is signed in.
    private static func hasSigned(_ connection: any Connection) throws -> Bool {
        try signedAccount(connection) != nil
    }

    /// The account of the rows, if it is signed in.
    static func signedAccount(_ connection: any Connection) throws -> String? {
        guard let account = try SignedState.load(connection).account,
            try JournalState.load(connection).position?.account == account
        else { return nil }
        return account
    }
}
