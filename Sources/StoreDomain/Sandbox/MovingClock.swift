// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

/// Moves the time of a sandbox account, and sets the speed of its renewals.
/// The clocks of a family are one: all members' are moved together.
///
/// The clock is moved immediately, in one transaction with the wall time of every
/// step that is due, and an event sends it to the account's devices. ``RenewingSubscriptions`` then carries out the steps that
/// are due in between, in order, each dated when it was due. A process that
/// ends meanwhile leaves steps that are due, and another one goes on.
package struct MovingClock: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A change of an account's clock.
    package enum Move: Hashable, Sendable {
        /// To a moment, in the account's time.
        case to(StoreTime)
        /// Forward by a duration.
        case by(Duration)
        /// Forward on the ``BillingCalendar``.
        case later(ClockDuration)
        /// Forward to the next step of a subscription.
        case toNextStep
        /// The speed of the renewals; running periods keep their ends.
        case speed(RenewalSpeed)
    }

    /// The last moment to which a clock can be moved: the certificates that
    /// sign the sandbox's receipts end in 2099.
    package static let latest = StoreTime(milliseconds: 4_070_908_800_000)

    /// An account's clock after a change.
    package struct Moved: Sendable {
        package var account: AccountIdentifier
        package var clock: AccountClock
        /// The account's time before and after the change.
        package var from: StoreTime
        package var to: StoreTime
        /// The wall time of the change.
        package var at: WallTime
    }

    /// The clock of an account.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func current(email: String) async throws -> Moved {
        let account = try await FindingAccount(context)(email: email)
        let time = account.time(at: now)
        return Moved(account: account.identifier, clock: account.clock, from: time, to: time, at: now)
    }

    /// The moment of the next step of an account's subscriptions; `nil` when
    /// there is none.
    package func nextStep(of account: AccountIdentifier) async throws -> StoreTime? {
        try await read { db in try Subscription.firstMoment(of: account, db) }
    }

    /// Moves the clock of an account, and of the other members of its family.
    ///
    /// - Throws: ``DomainError``: `notFound`, also when no step follows;
    ///   `invalid` in production, for a moment after 2098, and for one before
    ///   the last event, ledger entry or restore of one of these accounts.
    package func callAsFunction(email: String, _ move: Move) async throws -> Moved {
        guard environment == .sandbox else {
            throw DomainError(.invalid, "Only the clock of a sandbox account can be moved.")
        }
        let account = try await FindingAccount(context)(email: email).identifier
        // Almost every account has no family, and its clock needs no more than
        // its own lock.
        while true {
            let isAlone = try await read { db in try Family.of(account, db) == nil }
            let moved = try await write(isAlone ? .account(account.rawValue) : .all) { db -> Moved? in
                let family = try Family.of(account, db)
                guard (family == nil) == isAlone else { return nil }
                try family?.hold(db)
                return try Self.move(account, with: family?.members.map(\.account) ?? [account], by: move, db)
            }
            if let moved { return moved }
        }
    }

    /// Moves the clocks of accounts, which are the same, and whose rows the
    /// transaction has locked.
    private static func move(
        _ account: AccountIdentifier, with accounts: [AccountIdentifier], by move: Move, _ db: StoreTransaction
    ) throws -> Moved {
        var clock = try AccountClock.of(account, db)
        let from = clock.time(at: db.now)
        if case .speed(let speed) = move {
            clock.speed = speed
        } else {
            let to = try target(of: move, from: from, accounts, db)
            clock.offset += to.milliseconds - from.milliseconds
        }
        for account in accounts { try set(clock, for: account, db) }
        return Moved(account: account, clock: clock, from: from, to: clock.time(at: db.now), at: db.now)
    }

    /// Sets the clock of an account whose row the transaction has locked, and
    /// notifies its devices of another time.
    ///
    /// - Throws: ``DomainError`` `invalid` for a moment after 2098, and for one
    ///   before the account's last event, ledger entry or restore.
    static func set(_ clock: AccountClock, for account: AccountIdentifier, _ db: StoreTransaction) throws {
        let old = try AccountClock.of(account, db)
        guard old != clock else { return }
        let (from, to) = (old.time(at: db.now), clock.time(at: db.now))
        if to != from { try check(to, from: from, account, db) }
        try clock.save(for: account, db)
        guard to != from else { return }
        try NotificationDelivery.move(of: account, by: from.milliseconds - to.milliseconds, db)
        _ = try AccountEvent.append(
            .clock, account: account, bundleIdentifier: "", transactionIdentifier: "", changesReceipt: false, db)
    }

    private static func target(
        of move: Move, from: StoreTime, _ accounts: [AccountIdentifier], _ db: StoreTransaction
    ) throws -> StoreTime {
        switch move {
        case .to(let moment): return moment
        case .by(let duration):
            // Not added before it is checked: the sum could overflow.
            guard duration.milliseconds <= latest.milliseconds - from.milliseconds else { return tooLate }
            return StoreTime(milliseconds: from.milliseconds + duration.milliseconds)
        case .later(let duration): return duration.end(after: from)
        case .toNextStep:
            let moments = try accounts.compactMap { try Subscription.firstMoment(of: $0, db) }
            guard let next = moments.min() else {
                throw DomainError(.notFound, "No subscription of the account has a next event.")
            }
            return max(next, from)
        case .speed: return from
        }
    }

    private static let tooLate = StoreTime(milliseconds: .max)

    private static func check(
        _ to: StoreTime, from: StoreTime, _ account: AccountIdentifier, _ db: StoreTransaction
    ) throws {
        guard to <= latest else {
            throw DomainError(
                .invalid,
                """
                A clock can be moved to the end of 2098: the certificates of the sandbox's receipts end in 2099. \
                Nothing was changed.
                """)
        }
        guard to < from, let last = try lastMoment(of: account, db), to < last else { return }
        throw DomainError(
            .invalid,
            """
            The clock can't be set to a time before the account's last event, \(last.date.formatted(.iso8601)). \
            Nothing was changed. Add another account to test an earlier time.
            """)
    }

    /// The moment of the account's last event, ledger entry or restore. A
    /// charge that is under way is one already: the period that it pays is
    /// dated when it was due.
    private static func lastMoment(of account: AccountIdentifier, _ db: StoreTransaction) throws -> StoreTime? {
        var moments = try Subscription.all(of: account, db).compactMap { subscription in
            try subscription.payment.flatMap { try Payment.find($0, of: account, db)?.due }
        }
        if let last = try AccountClock.lastMoment(of: account, db) { moments.append(last) }
        return moments.max()
    }
}
