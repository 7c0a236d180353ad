// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension NotificationDelivery {
    /// The addresses to which something of an app is due, or of all apps for an
    /// empty identifier, also former addresses, at most `limit`, and those that
    /// wait the longest first, with few of each team. Each address is found by
    /// one step in an index, however many deliveries to it wait.
    static func dueAddresses(
        of app: BundleIdentifier, limit: Int, _ db: StoreTransaction
    ) throws -> [SendingNotifications.DueAddress] {
        try db.rows(
            dueAddresses,
            [db.environment.rawValue, app, db.now.milliseconds, limit, SendingNotifications.mostAddressesOfATeam]
        ).reduce(into: [SendingNotifications.DueAddress]()) { addresses, row in
            let (url, team) = (try row.get("url") as String, try row.get("team") as String)
            if addresses.last?.url == url {
                addresses[addresses.count - 1].teams.append(team)
            } else {
                addresses.append(SendingNotifications.DueAddress(url: url, teams: [team]))
            }
        }
    }

    private static let dueAddresses = """
        WITH RECURSIVE address (url) AS (
            SELECT MIN(url) FROM notification_delivery
            WHERE environment = $1 AND due_at IS NOT NULL AND ($2 = '' OR bundle_id = $2)
            UNION ALL
            SELECT (
                SELECT MIN(url) FROM notification_delivery
                WHERE environment = $1 AND due_at IS NOT NULL AND ($2 = '' OR bundle_id = $2)
                    AND url > address.url)
            FROM address WHERE address.url IS NOT NULL),
        waiting (url, bundle_id, due_at) AS (
            SELECT url, (
                SELECT bundle_id FROM notification_delivery
                WHERE environment = $1 AND due_at IS NOT NULL AND ($2 = '' OR bundle_id = $2)
                    AND url = address.url
                ORDER BY due_at LIMIT 1) AS bundle_id, (
                SELECT MIN(due_at) FROM notification_delivery
                WHERE environment = $1 AND due_at IS NOT NULL AND ($2 = '' OR bundle_id = $2)
                    AND url = address.url) AS due_at
            FROM address),
        owner (url, due_at, bundle_id) AS (
            SELECT waiting.url, due_at, COALESCE(notification_address.bundle_id, waiting.bundle_id)
            FROM waiting LEFT JOIN notification_address
                ON notification_address.environment = $1 AND notification_address.url = waiting.url
            WHERE due_at <= $3),
        shared (url, due_at, team) AS (
            SELECT DISTINCT url, due_at, COALESCE(
                (SELECT team_id FROM app WHERE app.bundle_id = owner.bundle_id), owner.bundle_id)
            FROM owner)
        SELECT url, team FROM (
            SELECT url, due_at, team, ROW_NUMBER() OVER (PARTITION BY team ORDER BY due_at, url) AS place FROM shared
        ) AS placed
        WHERE place <= $5 ORDER BY due_at, url, team LIMIT $4
        """
}
