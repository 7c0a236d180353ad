// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

extension StoreNotification {
    private static let columns = """
        notification_id, bundle_id, type, subtype, account_id, transaction_id, original_transaction_id, event_number,
        place, state_number, at, details, payload, signed_at, created_at, version
        """

    private init(_ row: Row) throws {
        let details: String = try row.get("details")
        let signed: Int64? = try row.get("signed_at")
        let created = WallTime(milliseconds: try row.get("created_at"))
        self.init(
            identifier: try row.get("notification_id"), bundleIdentifier: try row.get("bundle_id"),
            version: NotificationVersion(rawValue: try row.get("version")) ?? .two,
            kind: NotificationKind(try row.get("type"), try row.get("subtype")), account: try row.get("account_id"),
            transaction: try row.get("transaction_id"), original: try row.get("original_transaction_id"),
            stateNumber: try row.get("state_number"), at: StoreTime(milliseconds: try row.get("at")),
            details: try JSONDecoder().decode(Details.self, from: Data(details.utf8)), payload: try row.get("payload"),
            signed: signed.map(WallTime.init(milliseconds:)), created: created,
            order: Order(event: try row.get("event_number"), created: created, place: try row.get("place")))
    }

    /// The notification with an identifier.
    static func find(_ identifier: String, _ db: StoreTransaction) throws -> StoreNotification? {
        try db.row(
            "SELECT \(columns) FROM notification WHERE environment = $1 AND notification_id = $2",
            [db.environment.rawValue, identifier]
        ).map(StoreNotification.init)
    }

    /// The notifications that aren't signed, after one, in the order in which
    /// they are sent.
    static func unsigned(
        after last: StoreNotification?, limit: Int, _ db: StoreTransaction
    ) throws -> [StoreNotification] {
        try db.rows(
            """
            SELECT \(columns) FROM notification
            WHERE environment = $1 AND payload IS NULL
                AND (created_at, event_number, place, notification_id) > ($2, $3, $4, $5)
            ORDER BY created_at, event_number, place, notification_id LIMIT $6
            """,
            [
                db.environment.rawValue, last?.created.milliseconds ?? -1, last?.order.event ?? 0,
                last?.order.place ?? 0, last?.identifier ?? "", limit,
            ]
        ).map(StoreNotification.init)
    }

    /// The notifications of an app before one, newest first.
    static func page(
        of app: BundleIdentifier, before last: StoreNotification?, limit: Int, _ db: StoreTransaction
    ) throws -> [StoreNotification] {
        try db.rows(
            """
            SELECT \(columns) FROM notification
            WHERE environment = $1 AND bundle_id = $2
                AND (created_at, event_number, place, notification_id) < ($3, $4, $5, $6)
            ORDER BY created_at DESC, event_number DESC, place DESC, notification_id DESC LIMIT $7
            """, [db.environment.rawValue, app] + (last?.listPlace ?? .newest).values + [limit]
        ).map(StoreNotification.init)
    }

    /// The notifications of all apps before one, newest first.
    static func page(
        before last: StoreNotification?, limit: Int, _ db: StoreTransaction
    ) throws -> [StoreNotification] {
        try db.rows(
            """
            SELECT \(columns) FROM notification
            WHERE environment = $1 AND (created_at, event_number, place, notification_id) < ($2, $3, $4, $5)
            ORDER BY created_at DESC, event_number DESC, place DESC, notification_id DESC LIMIT $6
            """, [db.environment.rawValue] + (last?.listPlace ?? .newest).values + [limit]
        ).map(StoreNotification.init)
    }

    /// The newest notification of a type of an app.
    static func newest(
        _ kind: NotificationKind, of app: BundleIdentifier, _ db: StoreTransaction
    ) throws -> StoreNotification? {
        try db.row(
            """
            SELECT \(columns) FROM notification WHERE environment = $1 AND bundle_id = $2 AND type = $3
            ORDER BY created_at DESC, notification_id DESC LIMIT 1
            """, [db.environment.rawValue, app, kind.type]
        ).map(StoreNotification.init)
    }

    /// The newest test of an app, if it waits for its first attempt at an
    /// address that a team sees, or at any address if the app has none of the
    /// team.
    static func waitingTest(
        of app: BundleIdentifier, for team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> StoreNotification? {
        guard let last = try newest(.test, of: app, db) else { return nil }
        guard last.payload != nil else { return last }
        let hasAddress = try !NotificationAddress.all(of: app, in: db.environment, db).isEmpty
        let waiting = try ListingNotifications.listed([last], for: hasAddress ? team : Team.ofTheStore, db)
        let isWaiting = waiting.flatMap(\.deliveries).contains { $0.state == .due && $0.attempts.isEmpty }
        return isWaiting ? last : nil
    }

    /// The newest notifications about a purchase or its chain, newest first.
    static func about(_ purchase: Purchase, limit: Int, _ db: StoreTransaction) throws -> [StoreNotification] {
        try db.rows(
            """
            SELECT \(columns) FROM notification
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND original_transaction_id = $4
            ORDER BY created_at DESC, event_number DESC, place DESC, notification_id DESC LIMIT $5
            """,
            [
                db.environment.rawValue, purchase.account, purchase.bundleIdentifier,
                purchase.originalTransactionIdentifier, limit,
            ]
        ).map(StoreNotification.init)
    }

    /// Whether one of an app isn't signed.
    static func hasUnsigned(of app: BundleIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT notification_id FROM notification
            WHERE environment = $1 AND payload IS NULL AND ($2 = '' OR bundle_id = $2) LIMIT 1
            """, [db.environment.rawValue, app]) != nil
    }

    /// Saves the payload, and orders its deliveries to the app's addresses and
    /// listeners.
    /// Nothing changes when another process has saved one.
    func save(signed payload: String, _ db: StoreTransaction) throws {
        let isSaved = try db.run(
            """
            UPDATE notification SET payload = $3, signed_at = $4
            WHERE environment = $1 AND notification_id = $2 AND payload IS NULL
            """, [db.environment.rawValue, identifier, payload, db.now.milliseconds])
        guard isSaved == 1 else { return }
        let mode = try DeliveryMode.of(account, db)
        let isHeld = try mode.isOutOfOrder && DeliveryMode.holds(account, db)
        let first = NotificationDelivery.first(mode, isHeld: isHeld, created: created, at: db.now)
        try db.run(
            """
            INSERT INTO notification_delivery (environment, notification_id, url, bundle_id, account_id, chain,
                event_number, place, due_at, state, attempts, created_at, copies, failures, version,
                is_internet_only)
            SELECT environment, CAST($2 AS TEXT), url, CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT),
                CAST($6 AS BIGINT), CAST($7 AS BIGINT),
                CASE WHEN listened_until IS NULL THEN CAST($8 AS BIGINT) END,
                CASE WHEN listened_until IS NULL THEN CAST($9 AS TEXT) ELSE 'listened' END,
                CASE WHEN listened_until IS NULL THEN CAST($10 AS TEXT) ELSE '' END,
                CAST($11 AS BIGINT), CAST($12 AS BIGINT), CAST($13 AS BIGINT), CAST($14 AS BIGINT),
                is_internet_only
            FROM notification_address
            WHERE environment = $1 AND bundle_id IN ($3, '') AND (version = $14 OR CAST($15 AS BIGINT) = 1)
                AND (listened_until IS NULL OR listened_until > $11)
            ORDER BY bundle_id
            ON CONFLICT (environment, notification_id, url) DO NOTHING
            """,
            [
                db.environment.rawValue, identifier, bundleIdentifier, account, chain, order.event, order.place,
                first.due?.milliseconds, first.state.rawValue, NotificationDelivery.text(of: first.attempts),
                db.now.milliseconds, first.copies, first.failures, version.rawValue, kind == .test ? 1 : 0,
            ])
        if isHeld { try NotificationDelivery.release(pairsOf: chain, db) }
    }

    /// Deletes a notification whose transaction doesn't exist any more.
    func delete(_ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM notification WHERE environment = $1 AND notification_id = $2 AND payload IS NULL",
            [db.environment.rawValue, identifier])
    }
}

extension StoreNotification {
    /// The notifications of an app in a filter's period, with its customer and its type, newest first: the part of the filter
    /// that an index has.
    struct Period {
        private var conditions = """
            environment = $1 AND bundle_id = $2 AND created_at >= $3
                AND (created_at, event_number, place, notification_id) < ($4, $5, $6, $7)
            """
        private var values: [any DatabaseValueConvertible]
        private let app: BundleIdentifier

        /// `account` is that of the filter's transaction.
        init(
            _ filter: NotificationFilter, of app: BundleIdentifier, _ account: AccountIdentifier?,
            before place: NotificationFilter.Place?
        ) {
            let end = min(filter.end.milliseconds, .max - 1) + 1
            let first = NotificationFilter.Place(
                created: WallTime(milliseconds: end), event: 0, number: 0, identifier: "")
            self.app = app
            values =
                [filter.start.milliseconds]
                + (place.flatMap { $0.created.milliseconds < end ? $0 : nil } ?? first).values
            if let account { add("account_id", account) }
            if let type = filter.type { add("type", type) }
        }

        private mutating func add(_ condition: String, _ value: any DatabaseValueConvertible) {
            values.append(value)
            conditions += " AND \(condition) = $\(2 + values.count)"
        }

        /// The place of the last of some notifications; `nil` when there are fewer.
        func place(after count: Int, _ db: StoreTransaction) throws -> NotificationFilter.Place? {
            let number = 3 + values.count
            return try db.row(
                """
                SELECT created_at, event_number, place, notification_id FROM notification WHERE \(conditions)
                ORDER BY created_at DESC, event_number DESC, place DESC, notification_id DESC LIMIT 1 OFFSET $\(number)
                """, [db.environment.rawValue, app] + values + [count - 1]
            ).map { row in
                NotificationFilter.Place(
                    created: WallTime(milliseconds: try row.get("created_at")), event: try row.get("event_number"),
                    number: try row.get("place"), identifier: try row.get("notification_id"))
            }
        }

        /// The signed notifications of version 2 that the whole filter lets through, as far as a place.
        func history(
            _ filter: NotificationFilter, until end: NotificationFilter.Place?, limit: Int, _ db: StoreTransaction
        ) throws -> [StoreNotification] {
            var period = self
            var others = " AND payload IS NOT NULL AND version = 2"
            if let subtype = filter.subtype { period.add("subtype", subtype) }
            if let end {
                let number = 3 + period.values.count
                period.values += end.values
                others += """
                     AND (created_at, event_number, place, notification_id)
                        >= ($\(number), $\(number + 1), $\(number + 2), $\(number + 3))
                    """
            }
            if filter.onlyFailures {
                others += """
                     AND (
                        SELECT 1 FROM notification_delivery
                        WHERE notification_delivery.environment = $1
                            AND notification_delivery.notification_id = notification.notification_id
                            AND state <> 'delivered' AND attempts <> '' LIMIT 1
                    ) IS NOT NULL
                    """
            }
            return try db.rows(
                """
                SELECT \(columns) FROM notification WHERE \(period.conditions)\(others)
                ORDER BY created_at DESC, event_number DESC, place DESC, notification_id DESC
                LIMIT $\(3 + period.values.count)
                """, [db.environment.rawValue, app] + period.values + [limit]
            ).map(StoreNotification.init)
        }
    }
}

extension NotificationFilter.Place {
    /// The values of the columns of the order.
    fileprivate var values: [any DatabaseValueConvertible] { [created.milliseconds, event, number, identifier] }
}
