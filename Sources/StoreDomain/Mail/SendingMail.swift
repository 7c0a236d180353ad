// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// Sends the messages that were ordered.
///
/// The link of a message is made when it is sent, so that only its hash is
/// saved. A process that dies after the message was sent leaves the order:
/// another link is sent then, and makes the first one useless.
package struct SendingMail: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most messages of a call.
    static let batch = 20

    /// Sends the messages that are due. `report` is called with the error of
    /// each that couldn't be sent; it is tried again later, and given up after
    /// some attempts.
    ///
    /// - Throws: `DatabaseError`.
    package func callAsFunction(publicURL: String, _ report: (any Error) -> Void) async throws {
        guard let mail = context.mail else { return }
        for order in try await read({ db in try MailOrder.due(limit: Self.batch, db) }) {
            do {
                guard let message = try await prepare(order, publicURL) else { continue }
                faults("mail:before")
                try await mail.send(message)
                faults("mail:after")
                try await write(.key(order.identifier)) { db in try order.delete(db) }
            } catch {
                report(error)
            }
        }
    }

    /// Begins an attempt, and makes its message with a new link; `nil` when no
    /// message is to be sent, and when another process has begun the attempt.
    private func prepare(_ order: MailOrder, _ publicURL: String) async throws -> MailMessage? {
        let token = random.hexadecimal(bytes: 32)
        return try await write(.key(order.identifier)) { db in
            guard try order.claim(db) else { return nil }
            guard order.tries < MailOrder.limit, let recipient = MailAddress(order.recipient) else {
                try order.delete(db)
                return nil
            }
            if order.kind == .addressChanged { return .addressChanged(to: recipient, publicURL) }
            guard let account = try Self.account(of: order, db) else {
                try order.delete(db)
                return nil
            }
            try OneTimeLink(
                kind: order.kind, account: account.identifier, email: order.recipient,
                passwordNumber: account.passwordNumber, expires: db.now + OneTimeLink.lifetime
            ).insert(tokenHash: Data(token.utf8).fingerprint, db)
            return order.kind == .address
                ? .address(to: recipient, "\(publicURL)/account/email/\(token)")
                : .password(to: recipient, "\(publicURL)/account/reset/\(token)")
        }
    }

    /// The account that a message is about; `nil` when there is none, and when
    /// another account has the new address.
    private static func account(of order: MailOrder, _ db: StoreTransaction) throws -> Account? {
        guard order.kind == .address else { return try Account.find(email: order.recipient, db) }
        guard try Account.find(email: order.recipient, db) == nil else { return nil }
        return try order.account.flatMap { try Account.findOpen($0, db) }
    }
}

/// The texts of the messages.
extension MailMessage {
    static func password(to recipient: MailAddress, _ link: String) -> MailMessage {
        MailMessage(
            recipient: recipient, subject: "Your new password",
            body: """
                You can set a new password for your account here:

                \(link)

                The link is valid for one hour, and can be used once. If you have not asked for it, do nothing:
                your password stays as it is.
                """)
    }

    static func address(to recipient: MailAddress, _ link: String) -> MailMessage {
        MailMessage(
            recipient: recipient, subject: "Confirm your new address",
            body: """
                Confirm here that this is the new address of your account:

                \(link)

                The link is valid for one hour, and can be used once. If you have not asked for it, do nothing.
                """)
    }

    static func addressChanged(to recipient: MailAddress, _ publicURL: String) -> MailMessage {
        MailMessage(
            recipient: recipient, subject: "Your account has another address",
            body: """
                Your account at \(publicURL) has another address now, and this one isn't used any more.
                If you have not changed it, tell the operator of the store.
                """)
    }
}
