// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

// The mistakes by which an account pays without having agreed.
extension MistakenConnection {
    /// The statement as a store with the mistake runs it.
    func disagreeing(_ sql: String) -> String {
        switch mistake {
        case .choicesAreNotAsked:
            // The subscriber decides, and the account that has paid before pays on.
            sql.replacing("account.asks_to_buy", with: Self.asksUnlessPaid).replacing(Self.payer, with: Self.firstPayer)
        case .formerApproversPay: sql.replacing(Self.payer, with: Self.firstPayer)
        case .leaversPay:
            sql.replacing(
                "WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND closed_at IS NULL",
                with: "WHERE environment = $1 AND account_id = $2 AND bucket = $3"
            )
            .replacing(
                "SELECT family_id FROM family_member WHERE", with: "SELECT family_id FROM \(Self.everMember) WHERE"
            )
            .replacing(
                "FROM family_member JOIN account ON account.environment = family_member.environment",
                with: "FROM \(Self.everMember) JOIN account ON account.environment = family_member.environment")
        case .barredAccountsPay: sql.replacing("account.is_barred,", with: "0 AS is_barred,")
        case .closedAccountsPayBack:
            sql.replacing("AND bucket = $3 AND closed_at IS NULL", with: "AND bucket = $3")
        case .contactsAreSharedTwice:
            sql.replacing(
                "SELECT 1 AS one FROM shared_contact\nWHERE",
                with: "SELECT 1 AS one FROM shared_contact\nWHERE 1 = 0 AND")
        default: sql
        }
    }

    private static let payer = "payer_id = $9, leased_until = 0"
    private static let firstPayer = "payer_id = COALESCE(payer_id, $9), leased_until = 0"

    private static let asksUnlessPaid = """
        CASE WHEN EXISTS (
            SELECT 1 FROM subscription AS s
            WHERE s.account_id = account.account_id AND s.payer_id <> account.account_id)
        THEN 0 ELSE account.asks_to_buy END AS asks_to_buy
        """

    /// The members of families, with those that have left.
    private static let everMember = """
        (SELECT environment, account_id, account_bucket, family_id, role, joined_at FROM family_member
        UNION ALL SELECT environment, account_id, account_bucket, family_id, role, joined_at FROM former_member
        WHERE account_id NOT IN (SELECT account_id FROM family_member)) AS family_member
        """

    /// Makes the tables that a mistake needs.
    static func prepare(_ database: any Database, for mistake: Mistake?) throws {
        guard mistake == .leaversPay else { return }
        try database.writeAndWait { connection in
            _ = try connection.run(
                """
                CREATE TABLE IF NOT EXISTS former_member (environment TEXT, account_id TEXT PRIMARY KEY,
                    account_bucket BIGINT, family_id TEXT, role TEXT, joined_at BIGINT)
                """, [])
        }
    }

    /// Prepares the rows for a mistake, before a statement runs.
    func prepareDisagreement(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws {
        switch mistake {
        case .leaversPay where sql.hasPrefix("DELETE FROM family_member"):
            _ = try connection.run(
                """
                INSERT OR REPLACE INTO former_member
                SELECT environment, account_id, account_bucket, family_id, role, joined_at FROM family_member
                WHERE environment = $1 AND account_id = $2
                """, [arguments[0], arguments[1]])
        case .contactsAreSharedTwice where sql.hasPrefix("INSERT INTO shared_contact"):
            _ = try connection.run("DROP INDEX IF EXISTS shared_contact_of_account", [])
        default: break
        }
    }

    /// A subscription whose period is over, as an end that is seen too early: its
    /// renewal is only due.
    func endingEarly(_ rows: [Row], _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
        let over = try connection.rows(
            """
            SELECT 'expired' AS kind, p.expires_at AS at, '{"reason":1}' AS details
            FROM subscription s JOIN account a ON a.account_id = s.account_id
                JOIN purchase p ON p.original_transaction_id = s.original_transaction_id
            WHERE s.original_transaction_id = $1 AND p.expires_at <= $2 + a.clock_offset
            ORDER BY p.expires_at DESC LIMIT 1
            """, [arguments[1], now()])
        let newest = try connection.rows(
            "SELECT max(expires_at) AS at FROM purchase WHERE original_transaction_id = $1", [arguments[1]])
        guard let end = over.first, try end.get("at") as Int64 == newest.first?.get("at") else { return rows }
        return try rows.contains { try $0.get("kind") == "expired" } ? rows : rows + [end]
    }
}
