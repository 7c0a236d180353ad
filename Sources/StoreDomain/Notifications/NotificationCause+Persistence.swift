// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension NotificationCause {
    /// Saves the notification, if the app has an address or a listener, or one
    /// is for all apps. Repeating it in the same transaction changes nothing.
    ///
    /// - Returns: The identifier of the new notification; `nil` without an
    ///   address.
    @discardableResult
    func insert(_ db: StoreTransaction) throws -> String? {
        let identifier = StoreNotification.identifier(of: [
            db.environment.rawValue, bundleIdentifier.rawValue, kind.type, kind.subtype, transaction.rawValue,
            String(stateNumber ?? 0), subject, String(at.milliseconds), String(db.now.milliseconds),
        ])
        let isSaved = try db.run(
            """
            INSERT INTO notification (environment, notification_id, bundle_id, type, subtype, account_id,
                account_bucket, transaction_id, original_transaction_id, place, at, details, created_at, event_number,
                state_number)
            SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT),
                CAST($6 AS TEXT), CAST($7 AS BIGINT), CAST($8 AS TEXT), CAST($9 AS TEXT), CAST($10 AS BIGINT),
                CAST($11 AS BIGINT), CAST($12 AS TEXT), CAST($13 AS BIGINT),
                COALESCE((
                    SELECT event_number FROM account WHERE environment = $1 AND account_id = $6 AND bucket = $7
                ), 0),
                COALESCE(CAST($14 AS BIGINT), (
                    SELECT event_count FROM subscription
                    WHERE environment = $1 AND original_transaction_id = $9 AND bucket = $7
                ), 0)
            WHERE EXISTS (
                SELECT 1 FROM notification_address
                WHERE environment = $1 AND bundle_id IN ($3, '') AND (listened_until IS NULL OR listened_until > $13)
            )
            ON CONFLICT (environment, notification_id) DO NOTHING
            """,
            [
                db.environment.rawValue, identifier, bundleIdentifier, kind.type, kind.subtype, account,
                account?.bucket ?? 0, transaction, original, place, at.milliseconds, try SortedJSON.text(details),
                db.now.milliseconds, stateNumber,
            ])
        return isSaved == 1 ? identifier : nil
    }
}
