// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreOutbound
import StoreService

/// Signed notifications that are due at an address: copies of one that a
/// purchase has caused, each of an original transaction of its own.
struct OrderedNotifications: Sendable {
    private static let batch = 10_000

    let store: BenchmarkStore
    private(set) var url: String
    /// The identifier of the purchase's notification.
    private let first: String
    /// The posts' body.
    let body: String

    /// Makes a purchase whose notification is delivered to an address.
    init(in folder: URL, to url: String, sender: any NotificationSender) async throws {
        (store, self.url) = (try await BenchmarkStore(in: folder, notifications: sender), url)
        try await ChangingNotificationAddresses(store.context).add(url)
        try await Self.buy(in: store)
        guard try await store.service.settleNotifications(of: "", within: .seconds(30)) else {
            throw BenchmarkFailure("The purchase's notification wasn't sent.")
        }
        let row = try await store.engine.read { connection in
            try connection.row("SELECT notification_id, payload FROM notification")
        }
        guard let row, let payload: String = try row.get("payload") else {
            throw BenchmarkFailure("The purchase has no signed notification.")
        }
        first = try row.get("notification_id")
        body = "{\"signedPayload\":\"\(payload)\"}"
    }

    /// The same notifications for another address.
    init(_ other: OrderedNotifications, to url: String) {
        self = other
        self.url = url
    }

    /// Removes all notifications, and orders a number of them.
    func order(_ count: Int) async throws {
        try await store.engine.write { connection in
            try connection.run("DELETE FROM notification_delivery")
            try connection.run("DELETE FROM notification WHERE notification_id LIKE 'copy-%'")
        }
        for start in stride(from: 1, through: count, by: Self.batch) {
            try await store.engine.write { connection in
                for sql in Self.copies {
                    try connection.run(
                        "\(Self.series) \(sql)",
                        [start, min(start + Self.batch - 1, count), url, WallTime(Date()).milliseconds, first])
                }
            }
        }
    }

    /// The number of notifications whose delivery has a state.
    func count(_ state: NotificationDelivery.State) async throws -> Int {
        try await store.engine.read { connection in
            try connection.row(
                "SELECT count(*) AS n FROM notification_delivery WHERE state = $1", [state.rawValue])?.get("n") ?? 0
        }
    }

    private static let series = """
        WITH RECURSIVE series (i) AS (
            SELECT CAST($1 AS BIGINT) UNION ALL SELECT i + 1 FROM series WHERE i < $2
        )
        """

    private static let copies = [
        """
        INSERT INTO notification (environment, notification_id, bundle_id, type, subtype, account_id, account_bucket,
            transaction_id, original_transaction_id, event_number, place, state_number, at, details, payload,
            signed_at, created_at)
        SELECT environment, 'copy-' || i, bundle_id, type, subtype, account_id, account_bucket, transaction_id,
            original_transaction_id, event_number, place, state_number, at, details, payload, signed_at, created_at
        FROM series, notification WHERE notification_id = $5 AND $3 <> '' AND $4 > 0
        """,
        """
        INSERT INTO notification_delivery (environment, notification_id, url, bundle_id, account_id, chain,
            event_number, place, due_at, state, attempts, created_at)
        SELECT environment, 'copy-' || i, $3, bundle_id, account_id, 'copy-' || i, event_number, place, $4, 'due', '',
            created_at
        FROM series, notification WHERE notification_id = $5
        """,
    ]

    private static func buy(in store: BenchmarkStore) async throws {
        let credentials = Customer.credentials(0)
        let account = try await OpeningTestAccount(store.context)(
            email: "anna@example.com", storefront: "USA", device: DeviceIdentifier(credentials.identifier),
            secret: credentials.secret)
        let asked = try await LocalStoreConnection(store.service).call(
            PaymentCall(
                requestIdentifier: "1", bundleIdentifier: BenchmarkStore.app,
                productIdentifier: BenchmarkStore.product, quantity: 1),
            as: credentials)
        guard let token = asked.sheet?.split(separator: "/").last else {
            throw BenchmarkFailure("The purchase has no sheet.")
        }
        _ = try await store.service.buy(onSheet: String(token), as: account, shown: nil)
    }
}
