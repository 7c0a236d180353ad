// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// The time that a tester waits for a year of a subscription.
struct SubscriptionYearRow: Row {
    static let name = "subscription-year"
    static let summary =
        "renewals of a monthly subscription, 12 by one advance of the account's clock by a year, against their own "
        + "statements alone, replayed through SQLite's C interface with a commit for each write"

    private static let months = 12

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            let subscribers = try await Subscribers(1, of: store)
            let replay = try await SQLiteReplay(of: store, in: folder, "renewals", operations: months) {
                try await passYear(of: subscribers)
            }
            var comparison = try await Comparison(
                Side("renewals", operations: months) { try await passYear(of: subscribers) }.spending(in: store),
                against: replay.side(writesPerCommit: 1))
            // The recorded year and the round that isn't counted are two more.
            try await subscribers.expect(renewals: (2 + Comparison.rounds) * months)
            let milliseconds = Double(months) / comparison.measured * 1000
            comparison.notes.append("\((milliseconds * 10).rounded() / 10) ms a year")
            return comparison
        }
    }

    private static func passYear(of subscribers: Subscribers) async throws {
        for email in subscribers.emails {
            let year = ClockDuration(months: months)
            let advanced = try await subscribers.store.service.move(clockOf: email, .later(year))
            let renewals = advanced.events.count { $0.event.kind == .renewed }
            guard renewals == months else {
                throw BenchmarkFailure("A year has \(renewals) renewals, not \(months).")
            }
        }
    }
}
