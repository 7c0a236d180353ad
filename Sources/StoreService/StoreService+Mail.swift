// SPDX-License-Identifier: Apache-2.0

import Logging
package import StoreDomain

/// Messages to customers, and the links in them.
extension StoreService {
    /// Whether the store sends messages.
    package var sendsMail: Bool { context.mail != nil }

    /// Orders a message for a customer who has forgotten the password.
    ///
    /// - Throws: The errors of `OrderingMail`.
    package func orderPasswordLink(to email: String) async throws {
        try requireCurrentSchema()
        try await OrderingMail(context).forgotten(email: email)
    }

    /// Orders a message that confirms a new address of an account.
    ///
    /// - Throws: The errors of `OrderingMail`.
    package func orderAddressChange(to email: String, of account: Account) async throws {
        try requireCurrentSchema()
        try await OrderingMail(context).address(email, of: account)
    }

    /// The account of a link to a new password.
    ///
    /// - Throws: `DomainError` `notFound`.
    @discardableResult
    package func checkPasswordLink(_ token: String) async throws -> Account {
        try await ResettingPassword(context).check(token)
    }

    /// Sets a new password by a link.
    ///
    /// - Throws: The errors of `ResettingPassword`.
    package func resetPassword(by token: String, to password: String, from origin: String?) async throws {
        try requireCurrentSchema()
        try await ResettingPassword(context)(token, to: password, from: origin)
    }

    /// The account and the new address of a link that confirms it.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func checkAddressLink(_ token: String) async throws -> (account: Account, email: String) {
        try await ChangingAddress(context).check(token)
    }

    /// Changes an account's address by a link.
    ///
    /// - Throws: The errors of `ChangingAddress`.
    package func changeAddress(by token: String) async throws {
        try requireCurrentSchema()
        try await ChangingAddress(context)(token)
    }

    /// Sends the messages that are due.
    package func sendMail() async {
        do {
            try await SendingMail(context)(publicURL: publicURL) { error in
                logger.warning("a message can't be sent", metadata: ["error": "\(error)"])
            }
        } catch is CancellationError {
            // The process ends; the rest is sent later.
        } catch {
            _ = failure(of: error, at: "sending messages")
        }
    }
}
