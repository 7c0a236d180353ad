// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension OldRows {
    /// All kinds of row that have a time to live, in the order in which they
    /// are deleted: a row before the rows to which it refers.
    static func all(_ retention: Retention) -> [OldRows] {
        [
            OldRows(
                kind: "sheet-sessions", days: retention.sheetSessions, table: "sheet_session", key: ["token_hash"],
                age: "expires_at"),
            OldRows(
                kind: "mail", days: retention.mail, table: "mail_order", key: ["order_id"], age: "created_at"),
            OldRows(
                kind: "mail", days: retention.mail, table: "one_time_link", key: ["token_hash"], age: "expires_at"),
            OldRows(
                kind: "password-counts", days: retention.passwordCounts, table: "sign_in_throttle",
                key: ["kind", "subject"], age: "failed_at"),
            OldRows(
                kind: "serving-nodes", days: retention.servingNodes, table: "serving_node", key: ["node_id"],
                age: "seen_at"),
            OldRows(
                kind: "offer-nonces", days: retention.offerNonces, table: "offer_nonce",
                key: ["bundle_id", "key_id", "nonce"], age: "used_at"),
            OldRows(
                kind: "device-news", days: retention.deviceNews, table: "device_news",
                key: ["device_id", "news_number"], age: "created_at"),
            OldRows(
                kind: "notifications", days: retention.notifications, table: "notification_delivery",
                key: ["notification_id", "url"], age: "created_at"),
            OldRows(
                kind: "notifications", days: retention.notifications, table: "notification", key: ["notification_id"],
                age: "created_at"),
            OldRows(
                kind: "provider-events", days: retention.providerEvents, table: "provider_event", key: ["event_id"],
                age: "handled_at", condition: "handled_at IS NOT NULL"),
            events(retention), removedValues(retention), restores(retention), sheets(retention),
            lostDevices(retention), requests(retention), unusedDevices(retention),
            sandboxRefunds(retention),
            sandboxPayments(
                "settled-payments", days: retention.settledPayments, "status IN ('declined', 'voided', 'refunded')"),
            sandboxPayments("captured-payments", days: retention.capturedPayments, "status = 'captured'"),
        ] + ofTeams(retention) + [codeSeeds(retention)]
    }

    /// The seeds of codes, which can't be downloaded afterwards.
    private static func codeSeeds(_ retention: Retention) -> OldRows {
        OldRows(
            kind: "sheet-sessions", days: retention.sheetSessions, table: "offer_code_seed", key: ["batch_id"],
            age: "created_at")
    }

    /// The rows of Connect, which has no environment.
    private static func ofTeams(_ retention: Retention) -> [OldRows] {
        [
            OldRows(
                kind: "sheet-sessions", days: retention.sheetSessions, table: "team_session", key: ["token_hash"],
                age: "expires_at", due: inAllEnvironments, hasEnvironment: false),
            OldRows(
                kind: "sheet-sessions", days: retention.sheetSessions, table: "app_upload",
                key: ["bundle_id", "user_id", "kind"], age: "uploaded_at", due: inAllEnvironments,
                hasEnvironment: false),
            OldRows(
                kind: "mail", days: retention.mail, table: "team_link", key: ["token_hash"], age: "expires_at",
                due: inAllEnvironments, hasEnvironment: false),
            OldRows(
                kind: "mail", days: retention.mail, table: "team_invitation", key: ["team_id", "email"],
                age: "expires_at", due: inAllEnvironments, hasEnvironment: false),
            OldRows(
                kind: "team-changes", days: retention.teamChanges, table: "team_change",
                key: ["team_id", "change_number"], age: "at", due: inAllEnvironments, hasEnvironment: false),
            OldRows(
                kind: "former-products", days: retention.formerProducts, table: "former_product",
                key: ["bundle_id", "product_id", "edit_number"], age: "replaced_at", due: inAllEnvironments,
                hasEnvironment: false),
            OldRows(
                kind: "sandbox-problems", days: retention.sandboxProblems, table: "sandbox_problem",
                key: ["bundle_id", "problem_id"], age: "at"),
        ]
    }

    /// Every row of a table without an environment. PostgreSQL refuses a
    /// parameter that a statement doesn't use.
    private static let inAllEnvironments = "$1 <> ''"

    /// The events of refunds are kept: a device that was away learns of the
    /// refunds from them.
    private static func events(_ retention: Retention) -> OldRows {
        OldRows(
            kind: "events", days: retention.events, table: "event",
            key: ["account_id", "event_number", "bucket"], age: "created_at", condition: "kind <> 'revoked'",
            hasRowsWithoutAge: true)
    }

    /// Removals are deleted under the lock of their account, so that a device
    /// that synchronizes at the same time doesn't miss one.
    private static func removedValues(_ retention: Retention) -> OldRows {
        OldRows(
            kind: "removed-values", days: retention.removedValues, table: "key_value",
            key: ["account_id", "bundle_id", "key_name", "bucket"], age: "removed_at", condition: "value IS NULL",
            hasRowsWithoutAge: true
        ) { keys, limit, context in
            var deleted = 0
            for (account, keys) in Dictionary(grouping: keys, by: { $0[0] }) {
                let account = try AccountIdentifier(databaseValue: account)
                deleted += try await context.write(for: account) { db in
                    try keys.count { key in
                        try RemovedKeyValues.delete(
                            String(databaseValue: key[2]), account, BundleIdentifier(databaseValue: key[1]),
                            before: limit, db)
                    }
                }
            }
            return deleted
        }
    }

    /// The list of a restore is deleted in several batches. The first one
    /// fails the restore, in a write of the device, so that no device receives
    /// a part of the list.
    private static func restores(_ retention: Retention) -> OldRows {
        let rows = OldRows(
            kind: "restores", days: min(retention.restores, retention.requests), table: "restored_transaction",
            key: ["device_id", "request_id", "place"], age: "created_at", hasRowsWithoutAge: true)
        var kind = rows
        kind.deletion = { keys, limit, context in
            var deleted = 0
            let devices = try Dictionary(grouping: keys) { try DeviceIdentifier(databaseValue: $0[0]) }
            for (device, keys) in devices.sorted(by: { $0.key < $1.key }) {
                deleted += try await context.write(for: device) { db in
                    for request in Set(try keys.map { try RequestIdentifier(databaseValue: $0[1]) }).sorted() {
                        try DeviceRequest.failRestore(request, of: device, because: .listDeleted, db)
                    }
                    return try keys.reduce(0) { try $0 + rows.delete($1, limit, db) }
                }
            }
            return deleted
        }
        return kind
    }

    private static func sheets(_ retention: Retention) -> OldRows {
        OldRows(
            kind: "sheets", days: min(retention.sheets, retention.requests), table: "sheet", key: ["token"],
            age: "expires_at", condition: "status IN ('confirmed', 'cancelled', 'declined', 'expired')",
            due: """
                NOT EXISTS (
                    SELECT 1 FROM request
                    WHERE request.environment = $1 AND request.device_id = old.device_id
                        AND request.request_id = old.request_id
                        AND (request.status IN ('processing', 'deferred', 'interrupted')
                            OR (request.status = 'open' AND request.kind IN ('payment', 'redemption'))))
                """)
    }

    /// A sign-in keeps the status `open` after its sheet was answered, and
    /// when it needs no sheet. An open payment has a sheet, and stays.
    private static func requests(_ retention: Retention) -> OldRows {
        OldRows(
            kind: "requests", days: retention.requests, table: "request", key: ["device_id", "request_id"],
            age: "changed_at", condition: "status IN ('done', 'failed', 'open')",
            due: """
                (old.status <> 'open' OR old.kind = 'sign-in')
                AND NOT EXISTS (
                    SELECT 1 FROM sheet
                    WHERE sheet.environment = $1 AND sheet.device_id = old.device_id
                        AND sheet.request_id = old.request_id)
                AND NOT EXISTS (
                    SELECT 1 FROM restored_transaction
                    WHERE restored_transaction.environment = $1 AND restored_transaction.device_id = old.device_id
                        AND restored_transaction.request_id = old.request_id)
                AND NOT EXISTS (
                    SELECT 1 FROM queue_entry
                    WHERE queue_entry.environment = $1 AND queue_entry.transaction_id = old.transaction_id)
                """, hasRowsWithoutAge: true)
    }

    private static func unusedDevices(_ retention: Retention) -> OldRows {
        OldRows(
            kind: "unused-devices", days: retention.unusedDevices, table: "device", key: ["device_id"],
            age: "seen_at", condition: "account_id IS NULL",
            due: ["request", "queue_entry", "key_value_writer"].map { "NOT (\(hasRowOfDevice($0)))" }
                .joined(separator: " AND "))
    }

    /// Empties the queue of a lost device, signs it out, and deletes it if no
    /// request is left. Its requests are deleted at their own age.
    private static func lostDevices(_ retention: Retention) -> OldRows {
        OldRows(
            kind: "lost-devices", days: retention.lostDevices, table: "device", key: ["device_id"],
            age: "seen_at",
            due: """
                old.account_id IS NOT NULL OR \(hasRowOfDevice("queue_entry"))
                OR \(hasRowOfDevice("key_value_writer")) OR NOT (\(hasRowOfDevice("request")))
                """,
            hasRowsWithoutAge: true
        ) { keys, limit, context in
            var deleted = 0
            for key in keys {
                let device = try DeviceIdentifier(databaseValue: key[0])
                var hasMore = true
                while hasMore {
                    let batch = try await context.write(for: device) { db in
                        try Device.forget(device, before: limit, db)
                    }
                    deleted += batch.deleted
                    hasMore = batch.hasMore
                }
            }
            return deleted
        }
    }

    /// The sandbox provider's records of refunds that the store doesn't ask
    /// for again.
    private static func sandboxRefunds(_ retention: Retention) -> OldRows {
        OldRows(
            kind: "settled-payments", days: retention.settledPayments, table: "sandbox_refund", key: ["refund_id"],
            age: "created_at",
            due: """
                (
                    SELECT 1 FROM refund
                    WHERE refund.environment = $1 AND refund.refund_id = old.refund_id AND refund.status IN ('done', 'reversed')
                    LIMIT 1
                ) IS NOT NULL
                """,
            hasEnvironment: false)
    }

    /// The sandbox provider's records of payments that are final in the
    /// store's books.
    private static func sandboxPayments(_ kind: String, days: Int, _ condition: String) -> OldRows {
        OldRows(
            kind: kind, days: days, table: "sandbox_payment", key: ["payment_number"], age: "created_at",
            condition: condition,
            due: """
                EXISTS (
                    SELECT 1 FROM payment
                    WHERE payment.environment = $1 AND payment.payment_number = old.payment_number
                        AND payment.status IN ('captured', 'declined', 'refunded', 'uncollected', 'voided'))
                AND (
                    SELECT 1 FROM refund
                    WHERE refund.environment = $1 AND refund.payment_number = old.payment_number
                        AND refund.status IN ('due', 'reversing') LIMIT 1
                ) IS NULL
                """,
            hasEnvironment: false, hasRowsWithoutAge: true)
    }

    /// Whether a table has a row of the device. Not `EXISTS`, for which
    /// PostgreSQL may read the whole table into a hash.
    private static func hasRowOfDevice(_ table: String) -> String {
        """
        (SELECT 1 FROM \(table) WHERE \(table).environment = $1 AND \(table).device_id = old.device_id LIMIT 1)
        IS NOT NULL
        """
    }
}
