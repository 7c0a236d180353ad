// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension SignedRow {
    init(_ row: Row) throws {
        self.init(
            transactionIdentifier: try row.get("transaction_identifier"), productIdentifier: try row.get("product"),
            original: try row.get("original"), type: try row.get("type"), date: try row.get("date"),
            isRevoked: try row.get("is_revoked"), signed: try row.get("signed"),
            isConsumed: try row.get("is_consumed"), isFinished: try row.get("is_finished"),
            change: try row.get("change"), news: try row.get("news"))
    }

    static func load(_ connection: any Connection, _ transaction: String) throws -> SignedRow? {
        try connection.row("SELECT * FROM signed_transaction WHERE transaction_identifier = $1", [transaction])
            .map { try SignedRow($0) }
    }

    /// Inserts the row, or updates it. A finish on this device stays.
    func save(_ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO signed_transaction (transaction_identifier, product, original, type, date, is_revoked, signed,
                is_consumed, is_finished, change, news)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (transaction_identifier) DO UPDATE SET product = $2, original = $3, type = $4, date = $5,
                is_revoked = $6, signed = $7, is_consumed = $8, is_finished = MAX(is_finished, $9), change = $10, news = $11
            """,
            [
                transactionIdentifier, productIdentifier, original, type, date, isRevoked, signed, isConsumed,
                isFinished, change, news,
            ])
    }

    /// Deletes a transaction that the store has deleted.
    static func delete(_ connection: any Connection, _ transaction: String) throws {
        for table in ["signed_transaction", "signed_renewal"] {
            try connection.run("DELETE FROM \(table) WHERE transaction_identifier = $1", [transaction])
        }
    }

    /// Records that the app has finished a transaction on this device.
    static func finish(_ connection: any Connection, _ transaction: String) throws {
        try connection.run(
            """
            UPDATE signed_transaction SET is_finished = 1, is_consumed = CASE WHEN type = $2 THEN 1 ELSE is_consumed END
            WHERE transaction_identifier = $1
            """, [transaction, ProductType.consumable.rawValue])
    }

    /// The transactions before a place, the newest purchase first.
    static func page(
        _ connection: any Connection, of product: String?, before place: Place?, limit: Int
    ) throws -> [SignedRow] {
        let bound: [any DatabaseValueConvertible] = [place?.date ?? Int64.max, place?.identifier ?? "", limit]
        guard let product else {
            return try connection.rows(
                """
                SELECT * FROM signed_transaction WHERE (date, transaction_identifier) < ($1, $2)
                ORDER BY date DESC, transaction_identifier DESC LIMIT $3
                """, bound
            ).map { try SignedRow($0) }
        }
        return try connection.rows(
            """
            SELECT * FROM signed_transaction WHERE product = $4 AND (date, transaction_identifier) < ($1, $2)
            ORDER BY date DESC, transaction_identifier DESC LIMIT $3
            """, bound + [product]
        ).map { try SignedRow($0) }
    }

    /// The transactions of some types that aren't revoked, before a place, the
    /// newest purchase first.
    static func owned(
        _ connection: any Connection, of product: String?, before place: Place?, limit: Int
    ) throws -> [SignedRow] {
        let bound: [any DatabaseValueConvertible] = [place?.date ?? Int64.max, place?.identifier ?? "", limit]
        guard let product else {
            return try connection.rows(
                """
                SELECT * FROM signed_transaction
                WHERE type <> 'Consumable' AND is_revoked = 0 AND (date, transaction_identifier) < ($1, $2)
                ORDER BY date DESC, transaction_identifier DESC LIMIT $3
                """, bound
            ).map { try SignedRow($0) }
        }
        return try connection.rows(
            """
            SELECT * FROM signed_transaction
            WHERE product = $4 AND type <> 'Consumable' AND is_revoked = 0
                AND (date, transaction_identifier) < ($1, $2)
            ORDER BY date DESC, transaction_identifier DESC LIMIT $3
            """, bound + [product]
        ).map { try SignedRow($0) }
    }

    /// The periods of auto-renewable subscriptions before a place, the newest
    /// purchase first.
    static func periods(_ connection: any Connection, before place: Place?, limit: Int) throws -> [SignedRow] {
        try connection.rows(
            """
            SELECT * FROM signed_transaction
            WHERE type = $4 AND (date, transaction_identifier) < ($1, $2)
            ORDER BY date DESC, transaction_identifier DESC LIMIT $3
            """, [place?.date ?? Int64.max, place?.identifier ?? "", limit, ProductType.autoRenewable.rawValue]
        ).map { try SignedRow($0) }
    }

    /// The transactions that were changed after a given change, oldest change
    /// first.
    static func changed(_ connection: any Connection, after change: Int64, limit: Int) throws -> [SignedRow] {
        try connection.rows(
            "SELECT * FROM signed_transaction WHERE change > $1 ORDER BY change LIMIT $2", [change, limit]
        ).map { try SignedRow($0) }
    }
}

extension SignedRenewalRow {
    init(_ row: Row) throws {
        self.init(
            transactionIdentifier: try row.get("transaction_identifier"), group: try row.get("group_identifier"),
            signed: try row.get("signed"))
    }

    /// The renewals of a group, or of all groups.
    static func all(_ connection: any Connection, of group: String?) throws -> [SignedRenewalRow] {
        guard let group else {
            return try connection.rows("SELECT * FROM signed_renewal ORDER BY transaction_identifier")
                .map { try SignedRenewalRow($0) }
        }
        return try connection.rows(
            "SELECT * FROM signed_renewal WHERE group_identifier = $1 ORDER BY transaction_identifier", [group]
        ).map { try SignedRenewalRow($0) }
    }

    func save(_ connection: any Connection) throws {
        try connection.run(
            "INSERT INTO signed_renewal (transaction_identifier, group_identifier, signed) VALUES ($1, $2, $3)",
            [transactionIdentifier, group, signed])
    }
}
