// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension NotificationDelivery {
    private static let columns = """
        notification_id, url, account_id, chain, state, attempts, due_at, copies, failures, version,
        is_internet_only, bundle_id
        """

    private init(_ row: Row) throws {
        let due: Int64? = try row.get("due_at")
        self.init(
            notification: try row.get("notification_id"), app: try row.get("bundle_id"),
            version: NotificationVersion(rawValue: try row.get("version")) ?? .two,
            url: try row.get("url"),
            reach: try row.get("is_internet_only") == Int64(1) ? .internet : .environment,
            account: try row.get("account_id"),
            chain: try row.get("chain"), state: State(rawValue: try row.get("state")) ?? .failed,
            attempts: Self.attempts(try row.get("attempts")), due: due.map(WallTime.init(milliseconds:)),
            copies: try row.get("copies"), failures: try row.get("failures"))
    }

    /// The deliveries of notifications, by address.
    static func all(of notifications: [StoreNotification], _ db: StoreTransaction) throws -> [NotificationDelivery] {
        try notifications.flatMap { notification in
            try db.rows(
                """
                SELECT \(columns) FROM notification_delivery
                WHERE environment = $1 AND notification_id = $2 ORDER BY url
                """, [db.environment.rawValue, notification.identifier]
            ).map(NotificationDelivery.init)
        }
    }

    /// The deliveries that are due to an address, in the order in which they
    /// are sent.
    static func due(to url: String, limit: Int, _ db: StoreTransaction) throws -> [NotificationDelivery] {
        try db.rows(
            """
            SELECT \(columns) FROM notification_delivery
            WHERE environment = $1 AND url = $2 AND due_at <= $3
            ORDER BY due_at, event_number, place, notification_id LIMIT $4
            """, [db.environment.rawValue, url, db.now.milliseconds, limit]
        ).map(NotificationDelivery.init)
    }

    /// Whether one of an app is due; of all apps for an empty identifier.
    static func isDue(of app: BundleIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT notification_id FROM notification_delivery
            WHERE environment = $1 AND ($2 = '' OR bundle_id = $2) AND due_at <= $3 LIMIT 1
            """, [db.environment.rawValue, app, db.now.milliseconds]) != nil
    }

    /// Begins an attempt: no other notification of the chain is sent to the
    /// address until it is saved, or the lease has run out.
    ///
    /// - Returns: The message to send; `nil` when another process is at it or
    ///   has done it.
    func begin(_ db: StoreTransaction) throws -> Message? {
        let isFree = try db.run(
            """
            INSERT INTO notification_turn (environment, chain, url, owner, leased_until)
            VALUES ($1, $2, $3, $4, wall_now($5) + $6)
            ON CONFLICT (environment, chain, url) DO UPDATE SET owner = $4, leased_until = wall_now($5) + $6
                WHERE notification_turn.leased_until <= wall_now($5)
            """,
            [
                db.environment.rawValue, chain, url, db.leaseOwner, db.now.milliseconds,
                max(Self.lease, db.leaseDuration).milliseconds,
            ])
        guard isFree == 1 else { return nil }
        let row = try db.row(
            """
            SELECT notification.payload FROM notification_delivery JOIN notification
                ON notification.environment = notification_delivery.environment
                AND notification.notification_id = notification_delivery.notification_id
            WHERE notification_delivery.environment = $1 AND notification_delivery.notification_id = $2
                AND url = $3 AND attempts = $4 AND due_at <= $5
            """, [db.environment.rawValue, notification, url, text, db.now.milliseconds])
        guard let row, let payload = try row.get("payload") as String? else {
            try endTurn(db)
            return nil
        }
        return Message(version: version, payload: payload)
    }

    /// Saves an attempt and its result, unless another process has saved one.
    func save(_ next: NotificationDelivery, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE notification_delivery SET state = $5, attempts = $6, due_at = $7, copies = $8, failures = $9
            WHERE environment = $1 AND notification_id = $2 AND url = $3 AND attempts = $4
            """,
            [
                db.environment.rawValue, notification, url, text, next.state.rawValue, next.text,
                next.due?.milliseconds, next.copies, next.failures,
            ])
        try endTurn(db)
    }

    /// Ends an attempt.
    func endTurn(_ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM notification_turn WHERE environment = $1 AND chain = $2 AND url = $3 AND owner = $4",
            [db.environment.rawValue, chain, url, db.leaseOwner])
    }

    /// Makes another attempt due for a delivery that has failed or waits. It
    /// reaches the address once, without the mode of its first attempts.
    func sendAgain(_ db: StoreTransaction) throws {
        let isListener = url.hasPrefix(NotificationListener.prefix)
        let state: State = isListener ? .listened : .due
        let due: Int64? = isListener ? nil : db.now.milliseconds
        try db.run(
            """
            UPDATE notification_delivery SET copies = 1, failures = 0, state = $4, due_at = $5
            WHERE environment = $1 AND notification_id = $2 AND url = $3
            """, [db.environment.rawValue, notification, url, state.rawValue, due])
    }

    /// Moves the next attempts of an account's notifications, because its clock
    /// was moved.
    static func move(of account: AccountIdentifier, by milliseconds: Int64, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE notification_delivery SET due_at = due_at + $3
            WHERE environment = $1 AND account_id = $2 AND due_at > $4
            """, [db.environment.rawValue, account, milliseconds, db.now.milliseconds])
    }
}
