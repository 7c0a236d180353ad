// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

extension Books {
    /// A subscription as the store has written it down. The events are read
    /// without the store's own code.
    struct Subscription {
        var original: String
        var account: String
        var bundle: String
        var group: String
        /// The payment that is under way.
        var payment: String?
        /// The right time of the next step.
        var due: Int64?
        var events: [Event] = []
    }

    struct Event {
        var kind: String
        /// The account's time.
        var at: Int64
        var details: Details
    }

    struct Details: Decodable {
        var period: Period?
        var product: String?
        var transaction: String?
        var payment: String?
        var until: Int64?
        var reason: Int?
        var offer: Offer?
        var priceIncrease: Increase?
        var chosenPrice: ChosenPrice?
    }

    struct Period: Decodable {
        var transaction: String
        var product: String
        var start: Int64
        var end: Int64
        var speed: String
        /// 0 for a period that the customer has bought.
        var renewals: Int
        /// The price in thousandths, and the country of its currency.
        var milliunits: Int64
        var storefront: String
        var offer: Offer?
    }

    /// Whether a step of a subscription or a payment for one is under way.
    func isRenewing(at now: Int64) -> Bool {
        subscriptions.contains { $0.payment != nil || $0.due.map { $0 <= now } ?? false }
    }

    static func subscriptions(_ connection: any Connection) throws -> [Subscription] {
        var events: [String: [Event]] = [:]
        for row in try connection.rows(
            """
            SELECT original_transaction_id, kind, at, details FROM subscription_event
            ORDER BY original_transaction_id, number
            """)
        {
            let details: String = try row.get("details")
            events[try row.get("original_transaction_id"), default: []].append(
                Event(
                    kind: try row.get("kind"), at: try row.get("at"),
                    details: try JSONDecoder().decode(Details.self, from: Data(details.utf8))))
        }
        return try connection.rows(
            """
            SELECT original_transaction_id, account_id, bundle_id, group_id, payment_number, due_at FROM subscription
            ORDER BY original_transaction_id
            """
        ).map { row in
            let original: String = try row.get("original_transaction_id")
            return Subscription(
                original: original, account: try row.get("account_id"), bundle: try row.get("bundle_id"),
                group: try row.get("group_id"), payment: try row.get("payment_number"), due: try row.get("due_at"),
                events: events[original] ?? [])
        }
    }
}

extension Books.Event: CustomStringConvertible {
    var description: String {
        let period = details.period.map {
            "\($0.product) as \($0.transaction.suffix(6)) from \($0.start) to \($0.end) at \($0.speed)"
        }
        let parts = [
            period, details.product, details.transaction.map { "\($0.suffix(6))" }, details.payment,
            details.until.map { "until \($0)" }, details.reason.map { "because of \($0)" },
            (details.offer ?? details.period?.offer).map { "with \($0.kind) \($0.identifier) \($0.number)" },
            details.period.map { "for \($0.milliunits)" },
            details.priceIncrease.map { "to \($0.milliunits) from \($0.applies), \($0.needsConsent)" },
        ]
        return "\(at) \(kind) \(parts.compactMap { $0 }.joined(separator: " "))"
    }
}
