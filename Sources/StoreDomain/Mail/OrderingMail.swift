// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Orders a message with a link: to the page of a new password, or to confirm
/// a new address.
///
/// The answer says nothing about the address, and takes as long for an unknown
/// one: the account is looked for when the message is sent.
package struct OrderingMail: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Orders a message for a customer who has forgotten the password.
    ///
    /// - Throws: ``DomainError``: `notFound` when the store sends no messages,
    ///   `throttled` after some orders for the address, `busy` while too many
    ///   messages wait.
    package func forgotten(email: String) async throws {
        try require()
        let email = Account.normalized(email)
        guard email.utf8.count <= Account.longestEmail else { return }
        try await order(
            MailOrder(identifier: random.hexadecimal(bytes: 8), kind: .password, recipient: email, due: now),
            counting: [.messages(to: email)])
    }

    /// Orders a message, in a language such as `de`, for a user of Connect who
    /// has forgotten the password.
    ///
    /// - Throws: ``DomainError``: `notFound` when the store sends no messages,
    ///   `throttled` after some orders for the address, `busy` while too many
    ///   messages wait.
    package func forgotten(userOfConnect email: String, language: String) async throws {
        try require()
        let email = Account.normalized(email)
        guard email.utf8.count <= Account.longestEmail else { return }
        let order = MailOrder(
            identifier: random.hexadecimal(bytes: 8), kind: .teamRecovery, recipient: email,
            language: MailLanguage(rawValue: language), due: now)
        try await self.order(order, counting: [.messages(to: email)])
    }

    /// Orders a message that confirms the new address of an account whose
    /// password was checked.
    ///
    /// - Throws: ``DomainError``: `notFound` when the store sends no messages,
    ///   `invalid` for an address to which none can be sent, `throttled` after
    ///   some orders for the address or by the account, `busy` while too many
    ///   messages wait.
    package func address(_ email: String, of account: Account) async throws {
        try require()
        let email = try Account.checkedEmail(email)
        guard MailAddress(email) != nil else {
            throw DomainError(.invalid, "The store can't send a message to this address.", reason: .unsendable)
        }
        try await order(
            MailOrder(
                identifier: random.hexadecimal(bytes: 8), kind: .address, recipient: email,
                account: account.identifier, passwordNumber: account.passwordNumber, due: now),
            counting: [.messages(by: account.identifier), .messages(to: email)])
    }

    private func require() throws {
        guard context.mail != nil else {
            throw DomainError(.notFound, "This store sends no messages. Ask its operator.")
        }
    }

    /// Counts and saves an order. Each order locks the count of an account
    /// before that of an address: two that lock them in different orders could
    /// deadlock.
    private func order(_ order: MailOrder, counting subjects: [SignInThrottle.Subject]) async throws {
        try await write(.key(order.recipient)) { db in try order.append(counting: subjects, db) }
    }
}
