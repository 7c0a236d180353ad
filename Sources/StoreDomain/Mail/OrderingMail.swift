// SPDX-License-Identifier: Apache-2.0

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
    ///   `throttled` after some orders for the address.
    package func forgotten(email: String) async throws {
        try require()
        let email = Account.normalized(email)
        guard email.utf8.count <= Account.longestEmail else { return }
        try await order(.password, to: email, of: nil)
    }

    /// Orders a message that confirms the new address of an account whose
    /// password was checked.
    ///
    /// - Throws: ``DomainError``: `notFound` when the store sends no messages,
    ///   `invalid` for an address to which none can be sent, `throttled` after
    ///   some orders for the address.
    package func address(_ email: String, of account: Account) async throws {
        try require()
        let email = try Account.checkedEmail(email)
        guard MailAddress(email) != nil else {
            throw DomainError(.invalid, "The store can't send a message to this address.")
        }
        try await order(.address, to: email, of: account)
    }

    private func require() throws {
        guard context.mail != nil else {
            throw DomainError(.notFound, "This store sends no messages. Ask its operator.")
        }
    }

    private func order(_ kind: MailOrder.Kind, to email: String, of account: Account?) async throws {
        let identifier = random.hexadecimal(bytes: 8)
        try await write(.key(email)) { db in
            var throttle = try SignInThrottle.hold(.messages(to: email), db)
            if let wait = throttle.wait(now: db.now) { throw DomainError.messages(wait) }
            throttle.count(now: db.now)
            try throttle.save(db)
            try MailOrder(
                identifier: identifier, kind: kind, recipient: email, account: account?.identifier, due: db.now
            ).insert(db)
        }
    }
}
