// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAssembly
import StoreDomain

extension SessionHost {
    /// Advances the time, carries out everything that is then due, and lists
    /// the events of the customer's subscriptions.
    ///
    /// - Throws: ``SKTestError`` `invalidAction` for a moment before the
    ///   present one or after ``MovingClock/latest``.
    func move(to moment: WallTime) throws -> [SKTestSession.SubscriptionEvent] {
        guard moment >= clock.now else {
            throw SKTestError(
                .invalidAction, message: "The time of a session can't go back. Make a new session for an earlier time.")
        }
        guard moment.milliseconds <= MovingClock.latest.milliseconds else {
            throw SKTestError(
                .invalidAction,
                message: "The time of a session can go on to the end of 2098: its certificates end in 2099.")
        }
        let listing = ListingSubscriptionEvents(store.context)
        let account = account.identifier
        let before = try perform { _ in try await listing.newest(of: account) }
        clock.advance(by: .milliseconds(moment.milliseconds - clock.now.milliseconds))
        return try perform { [self] _ in
            await renew()
            var events: [DatedEvent] = []
            var (positions, hasMore) = (before, true)
            while hasMore {
                let page = try await listing(of: account, after: positions)
                events += page.events
                (positions, hasMore) = (page.positions, page.hasMore)
            }
            return events.map(SKTestSession.SubscriptionEvent.init)
        }
    }

    /// The moment of the next event of the customer's subscriptions; `nil`
    /// when none follows.
    func nextEvent() throws -> WallTime? {
        let account = account.identifier
        return try perform { [store] _ in
            // The account's time is the session's.
            try await MovingClock(store.context).nextStep(of: account).map { WallTime(milliseconds: $0.milliseconds) }
        }
    }
}

extension WallTime {
    private static let bound = MovingClock.latest.milliseconds + 1

    /// The time of a date. Dates beyond all limits of a session become the
    /// nearest that is still beyond.
    init(clamping date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
        self.init(milliseconds: Int64(max(0, min(milliseconds.isNaN ? 0 : milliseconds, Double(Self.bound)))))
    }

    /// The time after a duration. One beyond all limits of a session becomes
    /// the nearest that is still beyond.
    func advanced(by duration: Duration) -> WallTime {
        let rest = Duration.milliseconds(Self.bound - milliseconds)
        return self + max(.milliseconds(-milliseconds), min(duration, rest))
    }
}
