// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Adds sandbox testers of a team, and changes them by the use cases of
/// accounts. The transaction of each change checks the right of the user, and
/// appends the entry of the team's log if it changes anything.
package struct ManagingTesters: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The error in production.
    static let noSandbox = DomainError(.notFound, "Testers are accounts of the sandbox, and this is production.")

    /// The most testers of a team. The operator's has all accounts that no
    /// other team has made, and no limit.
    package static let limit = 10_000
    /// The most purchases that one request deletes.
    package static let clearedAtOnce = 250

    /// Adds a tester. A team has a share of the hashes of passwords.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound` in production,
    ///   `invalid` for too many, `busy` when too many of the team's passwords
    ///   are hashed; ``InvalidFields``, also for an address that has an account.
    package func add(_ typed: TesterValues, by user: TeamUser) async throws -> Account {
        try require(user)
        let values = try typed.checked()
        let context = acting(user) { db in
            // The account exists when the closure runs again after a lost
            // commit.
            guard try Account.find(email: values.email, db) == nil else { return }
            // The team's row is locked, so that two users don't add the last one.
            guard try user.team == Team.ofTheStore || !Account.isFull(user.team, Self.limit, db) else {
                throw DomainError(.invalid, "A team has at most \(Self.limit) testers: remove one first.")
            }
            try TeamChange.append(
                .testerAdded, of: values.email, to: values.storefront, by: user.email, in: user.team, db)
        }
        do {
            return try await AddingAccount(context)(
                email: values.email, password: values.password, storefront: values.storefront, name: values.name,
                team: user.team, origin: "team \(user.team)",
                check: { db in _ = try TeamUser.acting(user, may: .manageTesters, db) })
        } catch let error as DomainError where error.code == .exists {
            throw InvalidFields(problems: [FieldProblem(field: "email", kind: .taken)])
        }
    }

    /// Changes a tester's name, storefront and switches. `before` is the text of
    /// the settings that the page showed.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `changed`, and
    ///   `invalid` for another storefront of a family's member;
    ///   ``InvalidFields``.
    package func change(
        _ tester: AccountIdentifier, to typed: TesterSettings, before: String, by user: TeamUser
    ) async throws {
        let account = try await known(tester, user)
        let settings = try typed.checked()
        guard TesterSettings(account) != settings else { return }
        let context = acting(user, on: tester) { present, db in
            let old = TesterSettings(present)
            // The settings are saved when the closure runs again after a lost
            // commit.
            guard old != settings else { return }
            guard old.text == before else { throw DomainError.changed }
            try TeamChange.append(
                .testerChanged, of: present.email, from: old.text, to: settings.text, by: user.email, in: user.team,
                db)
        }
        _ = try await ChangingAccount(context)(email: account.email, settings.change)
    }

    /// Deletes the purchases of a tester in all apps, the newest first.
    ///
    /// - Returns: The number of deleted purchases.
    /// - Throws: ``DomainError``: `forbidden`, `notFound`; `busy` after
    ///   ``clearedAtOnce`` when others are left, which the next call deletes.
    @discardableResult
    package func clearPurchases(
        of tester: AccountIdentifier, atOnce most: Int = clearedAtOnce, by user: TeamUser
    ) async throws -> Int {
        let account = try await known(tester, user)
        let clearing = ClearingPurchases(context)
        guard try await !clearing.purchases(of: tester, atLeast: 1).isEmpty else { return 0 }
        // The purchases are deleted in many transactions, after the entry.
        try await acting(user, on: tester) { present, db in
            try TeamChange.append(.testerCleared, of: present.email, by: user.email, in: user.team, db)
        }.write(for: tester) { _ in }
        let deleted = try await clearing(email: account.email, most: most)
        guard try await clearing.purchases(of: tester, atLeast: 1).isEmpty else {
            throw DomainError(
                .busy, "\(deleted) purchases are deleted, and others are left: clear them again.",
                reason: .purchasesLeft, retryAfter: 1)
        }
        return deleted
    }

    /// Moves the clock of a tester and of its family, or sets the speed of the
    /// renewals, and carries out steps that fall due. The store goes on with
    /// those that are left: nothing fails after the clock is moved, because a
    /// repeated call moves it again.
    ///
    /// - Throws: ``DomainError`` `forbidden`, and the errors of
    ///   ``MovingClock``.
    package func move(_ tester: AccountIdentifier, _ move: MovingClock.Move, by user: TeamUser) async throws {
        let account = try await known(tester, user)
        let text = move.text
        let context = acting(user, on: tester) { present, db in
            guard move.changes(present.clock, at: db.now) else { return }
            try TeamChange.append(
                .testerClock, of: present.email, from: present.time(at: db.now).iso8601, to: text, by: user.email,
                in: user.team, db)
        }
        let begun = try await AdvancingClock(context).begin(email: account.email, move)
        do {
            _ = try await AdvancingClock(self.context).goOn(with: begun.moved.account, after: begun.positions)
        } catch let error where error is DomainError || StoreContext.outage(error) != nil {
            // The clock is moved, and a round of the store carries the step out.
        }
    }

    /// Approves a request of a tester that waits (Ask to Buy).
    ///
    /// - Throws: ``DomainError`` `forbidden`, and the errors of
    ///   ``ResolvingPendingPurchase/approve(_:also:)``.
    package func approve(
        _ transaction: TransactionIdentifier, of tester: AccountIdentifier, by user: TeamUser
    ) async throws -> Buying.Progress {
        let note = try await deciding("approve", transaction, of: tester, by: user)
        return try await ResolvingPendingPurchase(context).approve(transaction, also: note)
    }

    /// Declines a request of a tester that waits (Ask to Buy).
    ///
    /// - Throws: ``DomainError`` `forbidden`, and the errors of
    ///   ``ResolvingPendingPurchase/decline(_:also:)``.
    package func decline(
        _ transaction: TransactionIdentifier, of tester: AccountIdentifier, by user: TeamUser
    ) async throws {
        let note = try await deciding("decline", transaction, of: tester, by: user)
        try await ResolvingPendingPurchase(context).decline(transaction, also: note)
    }

    /// The check and the entry with which the transaction of a decision
    /// begins.
    private func deciding(
        _ decision: String, _ transaction: TransactionIdentifier, of tester: AccountIdentifier, by user: TeamUser
    ) async throws -> @Sendable (StoreTransaction) throws -> Void {
        let account = try await known(tester, user)
        let waits = { @Sendable (db: StoreTransaction) in
            try DeviceRequest.deferred(of: account.identifier, db).contains { $0.transactionIdentifier == transaction }
        }
        guard try await read({ db in try waits(db) }) else {
            throw DomainError(.notFound, "The tester has no such request that waits.")
        }
        let context = acting(user, on: tester) { present, db in
            // The request is decided when the closure runs again after a lost
            // commit.
            guard try waits(db) else { return }
            try TeamChange.append(
                .testerRequest, of: present.email, to: "\(decision) \(transaction)", by: user.email, in: user.team, db)
        }
        return context.beginsWrites
    }

    /// Closes the account of a tester permanently.
    ///
    /// - Throws: ``DomainError`` `forbidden`, and the errors of
    ///   ``ClosingAccount``.
    package func remove(_ tester: AccountIdentifier, by user: TeamUser) async throws {
        let account = try await known(tester, user)
        let context = acting(user, on: tester) { _, _ in }
        try await ClosingAccount(context)(email: account.email) { db in
            try TeamChange.append(.testerRemoved, of: account.email, by: user.email, in: user.team, db)
        }
    }
}

extension ManagingTesters {
    /// A change of a tester's family.
    package enum FamilyChange: Hashable, Sendable {
        /// Begins a family with the tester as its organiser.
        case begin
        /// Adds another tester of the team to the family of the tester.
        case add(email: String, role: String)
        /// Takes the tester out of its family.
        case leave
        /// Ends the family of the tester.
        case end
    }

    /// Changes the family of a tester.
    ///
    /// - Throws: ``DomainError`` `forbidden`, and the errors of
    ///   ``ChangingFamily``; ``InvalidFields`` for an address or a role.
    package func change(
        family change: FamilyChange, of tester: AccountIdentifier, by user: TeamUser
    ) async throws {
        let account = try await known(tester, user)
        var joining: (account: Account, role: FamilyMember.Role)?
        if case .add(let email, let role) = change { joining = try await member(email, role, user) }
        let added = joining?.account.identifier
        let context = acting(user, on: tester) { present, db in
            // A member of a family that begins one or is added to one stays in
            // it, or is refused.
            if change == .begin || added != nil, try Family.of(added ?? tester, db) != nil { return }
            try TeamChange.append(
                .testerFamily, of: present.email, to: change.text, by: user.email, in: user.team, db)
        }
        let changing = ChangingFamily(context)
        switch change {
        case .begin: _ = try await changing.begin(organiser: account.email)
        case .leave: _ = try await changing.remove(account.email)
        case .end: try await changing.end(organiser: account.email)
        case .add:
            guard let joining else { return }
            do {
                _ = try await changing.add(joining.account.email, as: joining.role, organiser: account.email)
            } catch let error as DomainError where error.code == .exists {
                throw InvalidFields(problems: [FieldProblem(field: "email", kind: .taken)])
            }
        }
    }

    /// The tester of an address, with the role of a name.
    private func member(
        _ email: String, _ role: String, _ user: TeamUser
    ) async throws -> (account: Account, role: FamilyMember.Role) {
        var checks = FieldChecks()
        let email = checks.email(email, field: "email")
        let named = FamilyMember.Role(rawValue: role)
        if named == .organiser || !FamilyMember.Role.all.contains(named) { checks.add("role", .unknown) }
        try checks.finish()
        guard let found = try await read({ db in try Account.find(email: email, db) }), found.team == user.team else {
            throw InvalidFields(problems: [FieldProblem(field: "email", kind: .unknown)])
        }
        return (found, named)
    }
}

extension ManagingTesters {
    private func require(_ user: TeamUser) throws {
        try user.require(.manageTesters)
        guard environment == .sandbox else { throw Self.noSandbox }
    }

    /// A tester that the user may change.
    private func known(_ tester: AccountIdentifier, _ user: TeamUser) async throws -> Account {
        try require(user)
        return try await read { db in
            _ = try TeamUser.acting(user, may: .manageTesters, db)
            return try Account.known(tester, of: user.team, db)
        }
    }

    /// The context of a use case whose transaction begins with a check of the
    /// user's right.
    private func acting(
        _ user: TeamUser, _ note: @escaping @Sendable (StoreTransaction) throws -> Void
    ) -> StoreContext {
        var context = context
        context.beginsWrites = { db in
            try Team.hold(user.team, db)
            _ = try TeamUser.acting(user, may: .manageTesters, db)
            try note(db)
        }
        return context
    }

    /// The context of a use case that changes a tester, with the tester as it
    /// is in the transaction.
    private func acting(
        _ user: TeamUser, on tester: AccountIdentifier,
        _ note: @escaping @Sendable (Account, StoreTransaction) throws -> Void
    ) -> StoreContext {
        acting(user) { db in try note(try Account.known(tester, of: user.team, db), db) }
    }
}

extension ManagingTesters.FamilyChange {
    /// The change, for the log.
    var text: String {
        switch self {
        case .begin: "begin"
        case .add(let email, let role): "\(role): \(Account.normalized(email))"
        case .leave: "leave"
        case .end: "end"
        }
    }
}

extension MovingClock.Move {
    /// Whether it changes a clock, as far as that is known before the next step
    /// of a subscription is read.
    func changes(_ clock: AccountClock, at moment: WallTime) -> Bool {
        let time = clock.time(at: moment)
        return switch self {
        case .to(let other): other != time
        case .by(let duration): duration != .zero
        case .later(let duration): duration.end(after: time) != time
        case .toNextStep: true
        case .speed(let speed): speed != clock.speed
        }
    }

    /// The move, for the log.
    var text: String {
        switch self {
        case .to(let time): time.iso8601
        case .by(let duration): "+\(duration)"
        case .later(let length):
            [(length.months, "mo"), (length.days, "d"), (length.seconds, "s")].filter { $0.0 != 0 }
                .map { "+\($0.0)\($0.1)" }.joined(separator: " ")
        case .toNextStep: "next event"
        case .speed(let speed): speed.rawValue
        }
    }
}
