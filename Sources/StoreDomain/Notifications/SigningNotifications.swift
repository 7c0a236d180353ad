// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
import StoreCore
import StoreDatabase

/// Signs the notifications that were ordered, and orders their deliveries.
///
/// The body of a notification of version 1 isn't signed; it has a signed
/// receipt. A payload is made once, outside of the transaction of its cause, and
/// saved: each attempt sends the same bytes, also after the certificates were
/// renewed. Of two processes that sign one, the first saves its payload.
package struct SigningNotifications: UseCase {
    package let context: StoreContext
    /// The keys and certificates that sign.
    package let authority: SigningAuthority

    package init(_ context: StoreContext, authority: SigningAuthority) {
        self.context = context
        self.authority = authority
    }

    /// The most notifications that are read at a time.
    private static let batch = 50

    /// Signs all notifications that are ordered now. One that can't be signed
    /// is reported, doesn't stop the others, and is tried again in the next
    /// round.
    ///
    /// - Throws: `DatabaseError` when the notifications can't be read;
    ///   `CancellationError`.
    package func callAsFunction(report: @Sendable (any Error) -> Void = { _ in }) async throws {
        var last: StoreNotification?
        while true {
            let ordered = try await read { [last] db in
                try StoreNotification.unsigned(after: last, limit: Self.batch, db)
            }
            guard let final = ordered.last else { return }
            for notification in ordered {
                try Task.checkCancellation()
                do { try await sign(notification) } catch { report(error) }
            }
            last = final
        }
    }

    private func sign(_ notification: StoreNotification) async throws {
        let (contents, unified, number) = try await read {
            db -> (NotificationContents?, UnifiedReceiptContents?, Int64?) in
            let contents = try NotificationContents(of: notification, db)
            guard notification.version == .one, let contents, let purchase = contents.purchase else {
                // The sandbox's have no number of the app.
                guard db.environment == .production else { return (contents, nil, nil) }
                return (contents, nil, try AppNumbers.find(notification.bundleIdentifier, db).app)
            }
            return (contents, try UnifiedReceiptContents(of: notification, contents, purchase, db), nil)
        }
        guard let contents else {
            try await write(.key(notification.identifier)) { db in try notification.delete(db) }
            return
        }
        let payload: String
        if let unified, let purchase = contents.purchase {
            payload = try await body(of: notification, unified, purchase)
        } else {
            payload = try await self.payload(of: notification, contents, number)
        }
        faults("notification:signed")
        try await write(.key(notification.identifier)) { db in try notification.save(signed: payload, db) }
        faults("notification:saved")
    }

    /// The body of a notification of version 1 about a purchase, without the
    /// shared secret.
    private func body(
        of notification: StoreNotification, _ contents: UnifiedReceiptContents, _ purchase: Purchase
    ) async throws -> String {
        let receipt = try await IssuingReceipt(context, authority: authority)(notifying: contents, of: purchase)
        let unified = UnifiedReceipt(
            environment: environment, receipt: receipt, transactions: contents.transactions,
            renewals: contents.renewals)
        let body = FormerNotificationBody(
            notification: notification, environment: environment, renewal: contents.renewal, receipt: unified)
        return String(decoding: try SortedJSON.encode(body), as: UTF8.self)
    }

    private func payload(
        of notification: StoreNotification, _ contents: NotificationContents, _ number: Int64?
    ) async throws -> String {
        let signing = SigningPayloads(context, authority: authority)
        var payload = NotificationPayload(notification, number: number, in: environment, signed: now)
        if case .object(var data)? = payload.data {
            if let purchase = contents.purchase {
                data["signedTransactionInfo"] = .string(try await signing([purchase])[0])
            }
            if let renewal = contents.renewal {
                data["signedRenewalInfo"] = .string(try await signing([renewal])[0])
            }
            data["status"] = contents.status.map { .number(String($0.rawValue)) }
            payload.data = .object(data)
        }
        return try await signing.sign([payload])[0]
    }
}
