// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Begins and ends families, and changes their members.
///
/// Several accounts meet in each of these transactions: it locks those that it
/// changes. A purchase, a request or its approval that is under way for one of
/// them commits before, or sees the family after the change.
package struct ChangingFamily: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Begins a family, whose organiser is the account. Repeating it changes
    /// nothing. A customer begins one on the store's page (`byCustomer`),
    /// unless the account itself asks before each purchase.
    ///
    /// - Throws: ``DomainError``: `notFound`; `exists` for a member of a
    ///   family that another account has begun; `invalid` for a customer who
    ///   asks before each purchase.
    package func begin(organiser email: String, byCustomer: Bool = false) async throws -> Family {
        let found = try await FindingAccount(context)(email: email)
        let identifier = FamilyIdentifier(random.hexadecimal(bytes: 16))
        return try await write(.all) { db in
            let account = try Self.hold(found, db)
            if let family = try Family.of(account.identifier, db) {
                guard family.organiser?.account == account.identifier else { throw Self.taken(account) }
                return family
            }
            if byCustomer, account.has(.asksToBuy) { throw Self.asks }
            try FamilyMember(account, as: .organiser, at: db.now).insert(into: identifier, db)
            return try Self.family(of: account, db)
        }
    }

    /// Adds an account to the family of an organiser. It gets the organiser's
    /// clock. A child asks to buy from then on. Repeating it changes nothing.
    ///
    /// Customers (`byCustomer`) add an account that asks before each purchase
    /// as a child only: another role would end that.
    ///
    /// - Throws: ``DomainError``: `notFound` for an unknown account, and for an
    ///   organiser without a family; `exists` for a member of another family or
    ///   with another role; `invalid` by the rules of ``Family``, and when the
    ///   organiser's time is before the account's last event.
    package func add(
        _ email: String, as role: FamilyMember.Role, organiser: String, byCustomer: Bool = false
    ) async throws -> Family {
        let found = [
            try await FindingAccount(context)(email: organiser), try await FindingAccount(context)(email: email),
        ]
        return try await write(.all) { db in
            for account in found.sorted(by: { $0.identifier < $1.identifier }) { _ = try Self.hold(account, db) }
            let (organiser, account) = (try Self.hold(found[0], db), try Self.hold(found[1], db))
            let family = try Self.family(of: organiser, db)
            guard family.organiser?.account == organiser.identifier else { throw Self.noOrganiser(organiser) }
            if let other = try Family.of(account.identifier, db) {
                guard other == family, family.member(account.identifier)?.role == role else {
                    throw Self.taken(account)
                }
                return family
            }
            if byCustomer, account.has(.asksToBuy), role != .child { throw Self.asks }
            try family.requireRoom(for: account, as: role, organiser: organiser)
            try MovingClock.set(organiser.clock, for: account.identifier, db)
            try FamilyMember(account, as: role, at: db.now).insert(into: family.identifier, db)
            try SharingWork.note(account.identifier, db)
            try Self.setAskToBuy(role == .child, account.identifier, db)
            return try Self.family(of: organiser, db)
        }
    }

    /// Gives a member another role. An account that becomes a child asks to
    /// buy from then on. One that was a child doesn't any more, and its
    /// requests that wait fail, because it can buy now.
    ///
    /// - Throws: ``DomainError``: `notFound`; `invalid` for the organiser's
    ///   role, and for another role of the organiser.
    package func setRole(_ role: FamilyMember.Role, of email: String) async throws -> Family {
        try Family.requireOther(role)
        let found = try await FindingAccount(context)(email: email)
        return try await write(.all) { db in
            let account = try Self.hold(found, db)
            let family = try Self.family(of: account, db)
            guard var member = family.member(account.identifier), member.role != .organiser else {
                throw DomainError(
                    .invalid, "\(account.email) is the organiser: end the family instead. Nothing was changed.")
            }
            guard member.role != role else { return family }
            let wasChild = member.role == .child
            member.role = role
            try member.saveRole(db)
            if wasChild || role == .child { try Self.setAskToBuy(role == .child, account.identifier, db) }
            if wasChild { try DeviceRequest.failDeferred(of: account.identifier, because: .grownUp, db) }
            return try Self.family(of: account, db)
        }
    }

    /// Takes a member out of the family. The requests that wait for an approval
    /// fail, and the account keeps its clock and whether it asks to buy.
    /// A payment that a parent has approved before is completed.
    ///
    /// - Returns: The members that remain.
    /// - Throws: ``DomainError``: `notFound`, `invalid` for the organiser.
    package func remove(_ email: String) async throws -> Family {
        let found = try await FindingAccount(context)(email: email)
        return try await write(.all) { db in
            let account = try Self.hold(found, db)
            let family = try Self.family(of: account, db)
            guard let member = family.member(account.identifier), member.role != .organiser else {
                throw DomainError(
                    .invalid, "\(account.email) is the organiser: end the family instead. Nothing was changed.")
            }
            try Self.remove(member, db)
            var rest = family
            rest.members.removeAll { $0.account == account.identifier }
            return rest
        }
    }

    /// Ends a family: all members leave it.
    ///
    /// - Throws: ``DomainError`` `notFound` for an account that is the
    ///   organiser of no family.
    package func end(organiser email: String) async throws {
        let found = try await FindingAccount(context)(email: email)
        try await write(.all) { db in
            // The organiser's row is locked, so that no account joins.
            let account = try Self.hold(found, db)
            let family = try Self.family(of: account, db)
            guard family.organiser?.account == account.identifier else { throw Self.noOrganiser(account) }
            try family.hold(db)
            for member in family.members { try Self.remove(member, db) }
        }
    }

    /// Takes a member out of a family, in a transaction that has locked the
    /// account.
    static func remove(_ member: FamilyMember, _ db: StoreTransaction) throws {
        try member.delete(db)
        try SharingWork.note(member.account, db)
        try DeviceRequest.failDeferred(of: member.account, because: .leftFamily, db)
    }
}

extension ChangingFamily {
    private static let asks = DomainError(
        .invalid,
        "This account asks before each purchase. It is added as a child, or the operator of the store ends that.")

    /// Locks an account, and loads it.
    private static func hold(_ found: Account, _ db: StoreTransaction) throws -> Account {
        guard try Account.hold(found.identifier, db), let account = try Account.findOpen(found.identifier, db) else {
            throw DomainError.noAccount(found.email)
        }
        return account
    }

    private static func family(of account: Account, _ db: StoreTransaction) throws -> Family {
        guard let family = try Family.of(account.identifier, db) else { throw FindingFamily.none(account) }
        return family
    }

    private static func setAskToBuy(_ isOn: Bool, _ account: AccountIdentifier, _ db: StoreTransaction) throws {
        guard var account = try Account.findOpen(account, db) else { return }
        if isOn { account.switches.insert(.asksToBuy) } else { account.switches.remove(.asksToBuy) }
        try account.update(db)
    }

    private static func taken(_ account: Account) -> DomainError {
        DomainError(.exists, "\(account.email) is in a family already, or has another role in it. Nothing was changed.")
    }

    private static func noOrganiser(_ account: Account) -> DomainError {
        DomainError(.notFound, "\(account.email) is the organiser of no family.")
    }
}
