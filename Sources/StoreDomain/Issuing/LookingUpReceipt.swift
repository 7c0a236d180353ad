// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
package import Foundation
import StoreDatabase

/// Looks up the current state of an app receipt that a seller's server has
/// sent: its transactions, and, if it has a subscription, the history of its
/// account and a receipt of this moment.
///
/// A receipt doesn't name its account, which is that of its transactions.
package struct LookingUpReceipt: UseCase {
    package let context: StoreContext
    /// The keys and certificates that sign the receipts.
    package let authority: SigningAuthority

    package init(_ context: StoreContext, authority: SigningAuthority) {
        self.context = context
        self.authority = authority
    }

    /// The current state of a receipt.
    package struct Found: Sendable {
        /// The states of its transactions, of those in the store.
        package var states: [TransactionIdentifier: LookingUpPurchases.State]
        /// The account's time; the wall's when no account is known.
        package var now: StoreTime
        /// Why its revoked transactions were refunded: `cancellation_reason`.
        package var reasons: [TransactionIdentifier: Int64] = [:]
        /// `nil` for a receipt of which the store knows no transaction, and for one without a subscription unless the history is
        /// asked for.
        package var history: ReceiptHistory?
        /// A receipt of this moment for the same device; `nil` when the one
        /// that was sent has the same purchases, or there is no history.
        package var latest: Data?
    }

    /// The rows of one snapshot.
    private struct Read: Sendable {
        var found: Found
        var entries: [ReceiptEntry] = []
    }

    /// Looks up a receipt that this store has signed. `withHistory` is whether a receipt without a subscription has a history,
    /// too.
    ///
    /// - Throws: `AppReceiptError` when the new receipt can't be signed,
    ///   `DatabaseError`.
    package func callAsFunction(
        _ sent: AppReceipt, extent: ReceiptHistory.Extent, withHistory: Bool = false
    ) async throws -> Found {
        let read = try await read { db in try Self.read(sent, extent, withHistory, db) }
        var found = read.found
        if found.history != nil, sent.hasSubscription {
            found.latest = try sign(read.entries, instead: sent, at: found.now)
        }
        return found
    }

    private static func read(
        _ sent: AppReceipt, _ extent: ReceiptHistory.Extent, _ withHistory: Bool, _ db: StoreTransaction
    ) throws -> Read {
        let app = BundleIdentifier(sent.bundleIdentifier)
        let identifiers = sent.inAppPurchases.map { TransactionIdentifier($0.transactionIdentifier) }
        let states = try LookingUpPurchases.states(of: identifiers, in: app, db)
        // All are of one account, unless the receipt was made by hand.
        guard let state = identifiers.last(where: { states[$0] != nil }).flatMap({ states[$0] }) else {
            return Read(found: Found(states: states, now: AccountClock().time(at: db.now)))
        }
        let now = state.clock.time(at: db.now)
        var read = Read(found: Found(states: states, now: now))
        guard !state.isOfClosedAccount else { return read }
        let revoked = states.filter { $0.value.revoked != nil }.keys
        if !revoked.isEmpty {
            let purchases = try Purchase.find(Array(revoked), of: state.account, db)
            let details = try ServedDetails.of(purchases, withApps: false, db)
            for purchase in purchases {
                read.found.reasons[purchase.transactionIdentifier] = details.revocationReason(of: purchase)
            }
        }
        guard sent.hasSubscription || withHistory else { return read }
        read.found.history = try ReceiptHistory.read(extent, of: state.account, bundleIdentifier: app, at: now, db)
        read.entries = try Purchase.receiptEntries(
            of: state.account, bundleIdentifier: app, limit: ReceiptSelection.mostEntries, db)
        return read
    }

    /// Signs a receipt with the purchases of now for the device of the one
    /// that was sent; `nil` when it has the same purchases.
    ///
    /// A receipt names its device only by a hash over the device's identifier
    /// and the opaque value. With both of them unchanged, the new receipt is
    /// valid on that device and on no other.
    private func sign(
        _ entries: [ReceiptEntry], instead sent: AppReceipt, at now: StoreTime
    ) throws -> Data? {
        let selection = ReceiptSelection(of: entries, at: now)
        guard try Set(sent.inAppPurchases.map { try $0.encodedForReceipt }) != Set(selection.listed) else { return nil }
        var contents = sent
        contents.creationDate = now.date
        contents.inAppPurchases = []
        let receipt = try authority.sign(contents, appending: selection.listed)
        context.meters.count(.receipt)
        return receipt
    }
}

extension AppReceipt {
    /// Whether it has a period of a subscription.
    package var hasSubscription: Bool { inAppPurchases.contains { $0.subscriptionExpirationDate != nil } }
}
