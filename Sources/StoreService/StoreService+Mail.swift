// SPDX-License-Identifier: Apache-2.0

import Logging
import StoreDomain

/// Messages to customers, and the links in them.
extension StoreService {
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

    /// Checks the link to a new password.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func checkPasswordLink(_ token: String) async throws {
        try await ResettingPassword(context).check(token)
    }

    /// Sets a new password by a link.
    ///
    /// - Throws: The errors of `ResettingPassword`.
    package func resetPassword(by token: String, to password: String, from origin: String?) async throws {
        try requireCurrentSchema()
        try await ResettingPassword(context)(token, to: password, from: origin)
    }

    /// The new address of a link that confirms it.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func checkAddressLink(_ token: String) async throws -> String {
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
        } catch {
            _ = failure(of: error, at: "sending messages")
        }
    }
}
