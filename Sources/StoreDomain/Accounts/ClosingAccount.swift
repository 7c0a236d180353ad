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

    /// Closes the account of an e-mail address.
    ///
    /// - Throws: ``DomainError``: `notFound`; `underWay` while a payment of
    ///   the account is under way, because its customer would not receive the
    ///   purchase; `invalid` for the organiser of a family with other members.
    package func callAsFunction(email: String) async throws {
        let account = try await FindingAccount(context)(email: email)
        try await write(for: account.identifier) { db in
            guard try !Payment.isUnderWay(of: account.identifier, db) else {
                throw DomainError(.underWay, "A payment of \(account.email) is under way: try again in a minute.")
            }
            // A later approval would charge for a purchase that no customer
            // can receive.
            try Self.leaveFamily(account, db)
            try DeviceRequest.failUndecided(of: account.identifier, because: .accountClosed, db)
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
        }
    }

    /// Takes the account out of its family. An account joins a family in a
    /// transaction that locks the organiser's row, as this one does.
    private static func leaveFamily(_ account: Account, _ db: StoreTransaction) throws {
        guard let family = try Family.of(account.identifier, db), let member = family.member(account.identifier) else {
            return
        }
        guard member.role != .organiser || family.members.count == 1 else {
            throw DomainError(
                .invalid, "\(account.email) is the organiser of a family: end the family first. Nothing was changed.",
                reason: .organiser)
        }
        try ChangingFamily.remove(member, db)
    }
}
