// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension NotificationCause {
    /// Saves the notification of each version that an address or a listener of
    /// the app has, or one of all apps. Repeating it in the same transaction
    /// changes nothing.
    ///
    /// - Returns: The identifier of the notification of version 2, if one of
    ///   any version was saved; `nil` otherwise, and for a cause that has none
    ///   of version 2.
    @discardableResult
    func insert(_ db: StoreTransaction) throws -> String? {
        let own = kind.map { Ordered(version: .two, kind: $0) }
        let earlier = former.map { Ordered(version: .one, kind: NotificationKind($0.rawValue)) }
        let ordered = (own.map { [$0] } ?? []) + earlier
        guard !ordered.isEmpty else { return nil }
        let rows = (0..<ordered.count).map(Self.row).joined(separator: "\nUNION ALL SELECT ")
        let isSaved = try db.run(
            """
            INSERT INTO notification (environment, notification_id, bundle_id, type, subtype, account_id,
                account_bucket, transaction_id, original_transaction_id, place, at, details, created_at, event_number,
                state_number, version)
            SELECT \(rows)
            ON CONFLICT (environment, notification_id) DO NOTHING
            """,
            [
                db.environment.rawValue, bundleIdentifier, account, account?.bucket ?? 0, transaction, original, place,
                at.milliseconds, try SortedJSON.text(details), db.now.milliseconds, stateNumber,
            ] + ordered.flatMap { $0.values(of: self, db) })
        return isSaved > 0 ? own.map { $0.identifier(of: self, db) } : nil
    }

    /// A notification of one version.
    private struct Ordered {
        var version: NotificationVersion
        var kind: NotificationKind

        func identifier(of cause: NotificationCause, _ db: StoreTransaction) -> String {
            StoreNotification.identifier(
                of: [
                    db.environment.rawValue, cause.bundleIdentifier.rawValue, kind.type, kind.subtype,
                    cause.transaction.rawValue, String(cause.stateNumber ?? 0), cause.subject,
                    String(cause.at.milliseconds), String(db.now.milliseconds),
                ] + (version == .two ? [] : ["version 1"]))
        }

        /// The values of the columns that differ.
        func values(of cause: NotificationCause, _ db: StoreTransaction) -> [any DatabaseValueConvertible] {
            [identifier(of: cause, db), kind.type, kind.subtype, version.rawValue]
        }
    }

    /// The SQL of a row, whose own values have the places after the common ones.
    private static func row(_ index: Int) -> String {
        let first = 12 + index * 4
        return """
            CAST($1 AS TEXT), CAST($\(first) AS TEXT), CAST($2 AS TEXT), CAST($\(first + 1) AS TEXT),
                CAST($\(first + 2) AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT), CAST($5 AS TEXT), CAST($6 AS TEXT),
                CAST($7 AS BIGINT), CAST($8 AS BIGINT), CAST($9 AS TEXT), CAST($10 AS BIGINT),
                COALESCE((
                    SELECT event_number FROM account WHERE environment = $1 AND account_id = $3 AND bucket = $4
                ), 0),
                COALESCE(CAST($11 AS BIGINT), (
                    SELECT event_count FROM subscription
                    WHERE environment = $1 AND original_transaction_id = $6 AND bucket = $4
                ), 0), CAST($\(first + 3) AS BIGINT)
            WHERE EXISTS (
                SELECT 1 FROM notification_address
                WHERE environment = $1 AND bundle_id IN ($2, '')
                    AND (version = $\(first + 3) OR CAST($\(first + 1) AS TEXT) = 'TEST')
                    AND (listened_until IS NULL OR listened_until > $10)
            )
            """
    }
}
