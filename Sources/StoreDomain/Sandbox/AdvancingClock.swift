// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Moves the clock of a sandbox account, carries out everything that falls due
/// in between, and lists it.
///
/// The clock is moved first, in one transaction. The steps that are due then
/// are carried out by this process and by the rounds of all others
/// (``RenewingSubscriptions``). So a call that ends before the last step loses
/// nothing, and ``goOn(with:after:)`` waits for the rest.
package struct AdvancingClock: UseCase {
    package let context: StoreContext
    private let requireDeliverable: @Sendable () throws -> Void

    package init(_ context: StoreContext, requireDeliverable: @escaping @Sendable () throws -> Void = {}) {
        self.context = context
        self.requireDeliverable = requireDeliverable
    }

    /// A clock that was moved, and the events of the account's subscriptions
    /// since.
    package struct Advanced: Sendable {
        package var moved: MovingClock.Moved
        package var events: [DatedEvent]
    }

    /// A clock that was moved, and the positions of the events before.
    package struct Begun: Sendable {
        package var moved: MovingClock.Moved
        package var positions: ListingSubscriptionEvents.Positions
    }

    /// Some events, in order of their moments.
    package struct Page: Sendable {
        package var events: [DatedEvent]
        /// The positions after which the next page begins.
        package var positions: ListingSubscriptionEvents.Positions
        /// Whether nothing is due any more and no event follows.
        package var isLast: Bool
    }

    /// How long a page takes at most. It is less than the minute for which
    /// clients of HTTP wait.
    private static let timeLimit: Duration = .seconds(20)
    /// The most steps that a page carries out itself.
    private static let most = 250

    /// Moves the clock, and returns when no step is due any more.
    ///
    /// - Throws: The errors of ``MovingClock``, and those of
    ///   ``goOn(with:after:)``. The clock is moved in the second case, and
    ///   the store goes on with the steps.
    package func callAsFunction(email: String, _ move: MovingClock.Move) async throws -> Advanced {
        let begun = try await begin(email: email, move)
        var advanced = Advanced(moved: begun.moved, events: [])
        var positions = begun.positions
        while true {
            let page = try await goOn(with: begun.moved.account, after: positions)
            advanced.events += page.events
            positions = page.positions
            guard !page.isLast else { return advanced }
        }
    }

    /// Moves the clock, and carries out nothing.
    ///
    /// - Throws: The errors of ``MovingClock``.
    package func begin(email: String, _ move: MovingClock.Move) async throws -> Begun {
        let account = try await FindingAccount(context)(email: email).identifier
        let positions = try await ListingSubscriptionEvents(context).newest(of: account)
        let moved = try await MovingClock(context)(email: email, move)
        faults("advance:moved")
        return Begun(moved: moved, positions: positions)
    }

    /// Carries out steps that are due, for at most 20 seconds, and lists the
    /// events after the positions.
    ///
    /// - Throws: ``DomainError`` `providerUnavailable` when nothing has
    ///   happened in this time, although a step is due.
    package func goOn(
        with account: AccountIdentifier, after positions: ListingSubscriptionEvents.Positions
    ) async throws -> Page {
        let isDue = try await carryOut(account)
        let page = try await ListingSubscriptionEvents(context)(of: account, after: positions)
        guard !isDue || !page.events.isEmpty else {
            throw DomainError(
                .providerUnavailable, "The clock is moved, and a renewal is still under way: the store goes on with it."
            )
        }
        return Page(events: page.events, positions: page.positions, isLast: !isDue && !page.hasMore)
    }

    /// Carries out steps of an account, and of the other members of its
    /// family.
    ///
    /// - Returns: Whether a step is still due.
    private func carryOut(_ account: AccountIdentifier) async throws -> Bool {
        let deadline = now + Self.timeLimit
        let family = try await read { db in try Family.of(account, db) }
        for account in family?.members.map(\.account) ?? [account] {
            guard try await !carryOut(account, until: deadline) else { return true }
        }
        return false
    }

    private func carryOut(_ account: AccountIdentifier, until deadline: WallTime) async throws -> Bool {
        let renewing = RenewingSubscriptions(context, requireDeliverable: requireDeliverable)
        var steps = 0
        while now < deadline, steps < Self.most {
            guard try await !renewing.carryOutNextStep(of: account) else {
                steps += 1
                continue
            }
            guard try await read({ db in try Subscription.isDue(of: account, db) }) else { return false }
            // Another process, or the round of this one, carries out a step.
            try await context.clock.sleep(now + .milliseconds(20))
        }
        return true
    }
}
