// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Closes an account permanently.
///
/// Its e-mail address, its name, its language, its password, its payment methods,
/// the contacts that it has shared, its comments on refunds, the apps that it
/// used on devices and the values that apps stored for it are deleted, and it is
/// signed out in every browser and on every device. Its requests that wait for a decision fail, and its subscriptions
/// aren't renewed. Its purchases and ledger entries stay, but no customer can
/// restore the purchases.
package struct ClosingAccount: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The requests that one transaction fails.
    static let batch = 100

    /// Closes the account of an e-mail address. The transaction that closes it
    /// calls `note`; earlier ones fail requests that wait, if there are many.
    ///
    /// - Throws: ``DomainError``: `notFound`; `underWay` while a payment of
    ///   the account is under way, because its customer would not receive the
    ///   purchase; `invalid` for the organiser of a family with other members.
    package func callAsFunction(
        email: String, note: @escaping @Sendable (StoreTransaction) throws -> Void = { _ in }
    ) async throws {
        let account = try await FindingAccount(context)(email: email)
        var hasMore = true
        while hasMore {
            hasMore = try await write(for: account.identifier) { db in try !Self.close(account, note, db) }
        }
    }

    /// Closes the account.
    ///
    /// - Returns: `false` when only a batch of its requests has failed, and
    ///   others may wait.
    private static func close(
        _ account: Account, _ note: (StoreTransaction) throws -> Void, _ db: StoreTransaction
    ) throws -> Bool {
        guard try !Payment.isUnderWay(of: account.identifier, db) else {
            throw DomainError(.underWay, "A payment of \(account.email) is under way: try again in a minute.")
        }
        let member = try familyMember(account, db)
        // A later approval would charge for a purchase that no customer
        // can receive.
        let failed = try DeviceRequest.failUndecided(
            of: account.identifier, because: .accountClosed, limit: batch, db)
        guard failed < batch else { return false }
        try note(db)
        if let member { try ChangingFamily.remove(member, db) }
        try Subscription.turnOffAll(of: account.identifier, db)
        try account.close(db)
        try KeyValue.deleteAll(of: account.identifier, db)
        try SharedContact.deleteAll(of: account.identifier, db)
        try DeviceApp.deleteAll(of: account.identifier, db)
        try OneTimeLink.deleteAll(of: account.identifier, db)
        try MailOrder.deleteAll(of: account, db)
        try PaymentMethod.deleteAll(of: account.identifier, db)
        try SandboxAnswer.save(nil, for: account.identifier, db)
        try DeliveryMode.save(DeliveryMode(), for: account.identifier, db)
        try RefundRequest.removeComments(of: account.identifier, db)
        return true
    }

    /// The account as a member of its family, which it may leave; `nil` without
    /// one. An account joins a family in a transaction that locks the
    /// organiser's row, as this one does.
    private static func familyMember(_ account: Account, _ db: StoreTransaction) throws -> FamilyMember? {
        guard let family = try Family.of(account.identifier, db), let member = family.member(account.identifier) else {
            return nil
        }
        guard member.role != .organiser || family.members.count == 1 else {
            throw DomainError(
                .invalid, "\(account.email) is the organiser of a family: end the family first. Nothing was changed.",
                reason: .organiser)
        }
        return member
    }
}
