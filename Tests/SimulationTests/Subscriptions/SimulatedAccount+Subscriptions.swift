// SPDX-License-Identifier: Apache-2.0

import StoreAssembly
import StoreDomain
import StoreService

extension World {
    /// The account of a subscription.
    func account(of subscription: Books.Subscription) -> SimulatedAccount? {
        (accounts + absent.map(\.account)).first { $0.account.identifier.rawValue == subscription.account }
    }
}

/// The page of an account's subscriptions, and its clock.
extension SimulatedAccount {
    /// Moves the account's clock, and carries out the steps that fall due.
    func move(_ move: MovingClock.Move, answered: @escaping (Bool) -> Void = { _ in }) {
        world.clockMoves += 1
        world.note("\(account.email): the clock moves \(move)")
        nonisolated(unsafe) let answered = answered  // because the scheduler's thread alone calls it
        world.ask({ [account] in _ = try await $0.move(clockOf: account.email, move) }) { [world, account] result in
            if case .failure(let error) = result { world.note("the clock of \(account.email) says \(error)") }
            if case .success = result { answered(true) } else { answered(false) }
        }
    }

    /// Moves the clock, unless a message that hurries the renewals may still
    /// arrive: months at ten seconds for a renewal are a million of them.
    func moveInRealTime(by duration: ClockDuration) {
        guard !isHurried, !mayHurryLater else { return move(.toNextStep) }
        isMoving = true
        move(.later(duration)) { [self] isDone in
            if isDone { isMoving = false }
        }
    }

    /// Sets the speed of the renewals for some time.
    func hurry(_ speed: RenewalSpeed, for milliseconds: Int64) {
        guard !isMoving else { return }
        (isHurried, wasHurried) = (true, true)
        move(.speed(speed)) { [self] isDone in
            if !isDone { mayHurryLater = true }
        }
        world.scheduler.after(milliseconds) { [self] in slowDown() }
    }

    private func slowDown() {
        guard !world.isEnding else { return }
        move(.speed(.realTime)) { [self] isDone in
            if isDone { isHurried = false } else { world.scheduler.after(2000) { [self] in slowDown() } }
        }
    }

    /// Turns the renewal of a subscription on or off.
    func setRenewal(_ renews: Bool, of subscription: Books.Subscription) {
        world.note("\(account.email): renewal of \(subscription.original.prefix(6)) is turned \(renews ? "on" : "off")")
        let original = OriginalTransactionIdentifier(subscription.original)
        world.ask({ [account] in try await $0.setRenewal(renews, of: original, account: account) }) { [world] result in
            guard case .success = result, !renews, History(subscription).renews else { return }
            Self.check(subscription, in: world)
        }
    }

    /// Checks that a renewal that was turned off is off.
    private static func check(_ before: Books.Subscription, in world: World) {
        guard let now = try? Books(world).subscriptions.first(where: { $0.original == before.original }) else { return }
        let isWritten = now.events.dropFirst(before.events.count).contains { $0.kind == "renewal turned off" }
        if History(now).renews, !isWritten {
            world.witness.complain("\(before.original) was turned off and goes on")
        }
    }

    /// Chooses the product of a subscription's next period.
    func choose(_ product: String, of subscription: Books.Subscription) {
        world.note("\(account.email): \(subscription.original.prefix(6)) is to become \(product)")
        let original = OriginalTransactionIdentifier(subscription.original)
        world.ask({ [account] in
            try await $0.choose(ProductIdentifier(product), of: original, account: account)
        }) { _ in }
    }

    /// Extends the running period, as a seller does who makes up for an outage.
    func extend(_ subscription: Books.Subscription, days: Int) {
        world.note("\(subscription.original.prefix(6)) is extended by \(days) days")
        let order = RenewalExtension(
            days: days, reason: .outage, request: RenewalExtensionIdentifier("order-\(world.scheduler.newName())"))
        world.order({
            _ = try await ExtendingSubscription($0.context)(TransactionIdentifier(subscription.original), by: order)
        }) { _ in }
    }

    /// Begins the next period, as a test does.
    func renewNow(_ subscription: Books.Subscription) {
        world.note("\(subscription.original.prefix(6)) is renewed early")
        let original = OriginalTransactionIdentifier(subscription.original)
        world.ask({ [account] in try await $0.renewNow(original, of: account.identifier) }) { _ in }
    }

    /// Ends a subscription early, as a test does.
    func expire(_ subscription: Books.Subscription) {
        world.note("\(subscription.original.prefix(6)) is ended early")
        let original = OriginalTransactionIdentifier(subscription.original)
        world.order({ [account] in
            try await ExpiringSubscription($0.context)(original, account: account.identifier)
        }) { _ in }
    }
}
