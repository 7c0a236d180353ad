// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ProviderEvent {
    private static let columns = "event_id, payment_number, kind, message"

    init(_ row: Row) throws {
        self.init(
            identifier: try row.get("event_id"), payment: try row.get("payment_number"),
            kind: Kind(rawValue: try row.get("kind")), message: try row.get("message"))
    }

    /// Saves the event; `false` when it was saved before.
    func insert(_ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            INSERT INTO provider_event (environment, \(Self.columns), received_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (environment, event_id) DO NOTHING
            """, [db.environment.rawValue, identifier, payment, kind.rawValue, message, db.now.milliseconds]) == 1
    }

    /// Whether the event is saved and not handled yet.
    func isDue(_ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM provider_event
            WHERE environment = $1 AND event_id = $2 AND handled_at IS NULL
            """, [db.environment.rawValue, identifier]) != nil
    }

    /// Records the result of handling the event; `false` when it was handled
    /// before.
    func becomeHandled(_ outcome: Consequence, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE provider_event SET handled_at = $3, outcome = $4
            WHERE environment = $1 AND event_id = $2 AND handled_at IS NULL
            """, [db.environment.rawValue, identifier, db.now.milliseconds, outcome.rawValue]) == 1
    }

    /// How many events aren't handled, and when the oldest of them was
    /// received.
    static func backlog(_ db: StoreTransaction) throws -> Backlog {
        try Backlog(
            db.row(
                """
                SELECT count(*) AS n, min(received_at) AS oldest FROM provider_event
                WHERE environment = $1 AND handled_at IS NULL
                """, [db.environment.rawValue]))
    }

    /// An event with the time at which it was received.
    struct Received: Sendable {
        var event: ProviderEvent
        var at: WallTime
    }

    /// Events that aren't handled, oldest first, after `last`, at most a
    /// hundred.
    static func due(after last: Received?, _ db: StoreTransaction) throws -> [Received] {
        try db.rows(
            """
            SELECT \(columns), received_at FROM provider_event
            WHERE environment = $1 AND handled_at IS NULL
                AND (received_at > $2 OR received_at = $2 AND event_id > $3)
            ORDER BY received_at, event_id LIMIT 100
            """,
            [db.environment.rawValue, last?.at.milliseconds ?? .min, last?.event.identifier ?? ""]
        ).map { Received(event: try ProviderEvent($0), at: WallTime(milliseconds: try $0.get("received_at"))) }
    }
}
