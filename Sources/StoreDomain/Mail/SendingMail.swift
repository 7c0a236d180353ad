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

    /// The most messages that are read at a time.
    static let batch = 20

    /// Sends the messages that are due. `report` is called with the error of
    /// each that couldn't be sent; it is tried again later, and given up after
    /// some attempts.
    ///
    /// - Throws: `DatabaseError`; `CancellationError`.
    package func callAsFunction(publicURL: String, _ report: (any Error) -> Void) async throws {
        guard let mail = context.mail else { return }
        var orders: [MailOrder]
        repeat {
            orders = try await read { db in try MailOrder.due(limit: Self.batch, db) }
            for order in orders {
                try Task.checkCancellation()
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
        } while orders.count == Self.batch
    }

    /// Begins an attempt, and makes its message with a new link; `nil` when no
    /// message is to be sent, and when another process has begun the attempt.
    private func prepare(_ order: MailOrder, _ publicURL: String) async throws -> MailMessage? {
        let token = random.hexadecimal(bytes: 32)
        return try await write(.key(order.identifier)) { db in
            guard try order.claim(db) else { return nil }
            guard order.tries < MailOrder.limit, let recipient = MailAddress(order.recipient),
                let text = try Self.text(of: order, token, publicURL, db)
            else {
                try order.delete(db)
                return nil
            }
            return MailMessage(recipient: recipient, subject: text.subject, body: text.body)
        }
    }

    /// The text of a message; `nil` when its reason doesn't apply any more.
    private static func text(
        of order: MailOrder, _ token: String, _ publicURL: String, _ db: StoreTransaction
    ) throws -> MailText? {
        switch order.kind {
        case .addressChanged:
            return try order.account.flatMap { try Account.findOpen($0, db) }
                .map { MailLanguage(of: $0).words.addressChanged(store: publicURL) }
        case .childAsks:
            return try ChildMessage(order, db).map { $0.text(page: "\(publicURL)/account/family") }
        case .teamInvitation, .teamRecovery:
            return try TeamMessage(order, db)?.text(token, publicURL, db)
        default:
            guard let account = try account(of: order, db), try Account.hold(account.identifier, db) else { return nil }
            try OneTimeLink(
                kind: order.kind, account: account.identifier, email: order.recipient,
                passwordNumber: account.passwordNumber, expires: db.now + OneTimeLink.lifetime
            ).insert(tokenHash: Data(token.utf8).fingerprint, db)
            let words = MailLanguage(of: account).words
            return order.kind == .address
                ? words.address(link: "\(publicURL)/account/email/\(token)")
                : words.password(link: "\(publicURL)/account/reset/\(token)")
        }
    }

    /// The account of a message with a link; `nil` when there is none. A new
    /// address that another account has, or that was typed before the password
    /// was changed, gets no message.
    private static func account(of order: MailOrder, _ db: StoreTransaction) throws -> Account? {
        guard order.kind == .address else { return try Account.find(email: order.recipient, db) }
        guard try Account.find(email: order.recipient, db) == nil, let identifier = order.account,
            let account = try Account.findOpen(identifier, db), account.passwordNumber == order.passwordNumber
        else { return nil }
        return account
    }
}
