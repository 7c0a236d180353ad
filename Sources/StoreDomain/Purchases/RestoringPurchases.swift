// SPDX-License-Identifier: Apache-2.0

package import StoreCore
import StoreDatabase

/// Restores an account's non-consumables and the periods of its subscriptions
/// to a device: step 8 of a purchase's life. The first page of a request fixes the list, with an identifier for
/// each restored transaction, so that repeating a page returns the same
/// transactions.
package struct RestoringPurchases: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of transactions on a page.
    package static let pageSize = 200

    /// One restored transaction.
    package struct Restored: Sendable {
        /// The identifier that the restore gave the transaction.
        package var transactionIdentifier: TransactionIdentifier
        /// When the restore fixed its list.
        package var date: StoreTime
        /// The purchase that is restored: the first one of the product, or a
        /// period of a subscription.
        package var original: Purchase
        /// The newest hosted content of the product; `nil` when it has none.
        package var content: HostedContent.Summary?
    }

    /// The answer to a restore.
    package enum RestoreAnswer: Sendable {
        /// The customer has to sign in first, on the sheet with this token.
        case signIn(String)
        /// The restore ends with this failure.
        case failed(PurchaseFailure)
        /// The transactions of the page for the signed-in account, and the
        /// next page; `nil` after the last one.
        case page([Restored], nextPage: Int?, account: Account)
    }

    /// Returns one page of a restore, counted from 0.
    ///
    /// - Throws: ``DomainError``: `invalid` for a malformed identifier or a
    ///   page that isn't 0 to 1,000,000, `requestMismatch` for an identifier
    ///   that was used for another request.
    package func callAsFunction(
        _ identifier: RequestIdentifier, of bundleIdentifier: BundleIdentifier, on device: DeviceIdentifier, page: Int
    ) async throws -> RestoreAnswer {
        guard (0...1_000_000).contains(page) else { throw DomainError(.invalid, "Pages are counted from 0.") }
        let token = random.hexadecimal(bytes: 32)
        faults("restore:before")
        let answer = try await write(for: device) { [context] db in
            let asked = DeviceRequest(
                device: device, identifier: identifier, kind: .signIn, bundleIdentifier: bundleIdentifier)
            let signingIn = try RequiringSignIn.require(asked, token: token, db)
            guard case .account(let account, var request) = signingIn else {
                return signingIn.answer
            }
            switch RestoreDecision.restoring(request, for: account.identifier, page: page) {
            case .fail(let failure): return .failed(failure)
            case .fixList: try Self.answer(&request, account: account, context, db)
            case .readPage: break
            }
            return try Self.page(page, of: request, account: account, db)
        }
        faults("restore:after")
        return answer
    }

    /// Fixes the list of a request, which is answered then.
    private static func answer(
        _ request: inout DeviceRequest, account: Account, _ context: StoreContext, _ db: StoreTransaction
    ) throws {
        try fixList(request, account: account, context, db)
        request.status = .done
        request.account = account.identifier
        try request.update(db)
        // The sheet of an answered request can't be cancelled any more.
        if let sheet = try Sheet.find(for: request, db) {
            _ = try sheet.move(from: .open, to: .confirmed, db)
        }
    }

    private static func fixList(
        _ request: DeviceRequest, account: Account, _ context: StoreContext, _ db: StoreTransaction
    ) throws {
        // Reads a page at a time, so that memory doesn't grow with the number
        // of purchases.
        var last: Purchase.Position?
        var place = 0
        while true {
            let purchases = try Purchase.restorable(
                of: account.identifier, for: request, after: last, limit: pageSize, db)
            let restored = purchases.map { purchase in
                Restored(
                    transactionIdentifier: context.newTransactionIdentifier(for: account.identifier),
                    date: account.time(at: db.now), original: purchase)
            }
            try Restored.insert(restored, of: request, from: place, db)
            place += purchases.count
            guard purchases.count == pageSize, let final = purchases.last else { return }
            last = final.position
        }
    }

    private static func page(
        _ page: Int, of request: DeviceRequest, account: Account, _ db: StoreTransaction
    ) throws -> RestoreAnswer {
        let listed = try Restored.listed(of: request, from: page * pageSize, limit: pageSize + 1, db)
        return .page(
            RestoreDecision.remaining(listed.prefix(pageSize)),
            nextPage: listed.count > pageSize ? page + 1 : nil, account: account)
    }
}
