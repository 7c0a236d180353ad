// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
package import Foundation
import StoreDatabase

/// Looks up the current state of a receipt of a single transaction that a
/// seller's server has sent: its refund, and the newest period of its
/// subscription.
package struct LookingUpTransactionReceipt: UseCase {
    package let context: StoreContext
    /// The keys and certificates that sign the receipts.
    package let authority: SigningAuthority

    package init(_ context: StoreContext, authority: SigningAuthority) {
        self.context = context
        self.authority = authority
    }

    /// The current state of a receipt.
    package struct Found: Sendable {
        /// The state of the transaction, or of the one that it restores; `nil`
        /// when it isn't in the store.
        package var state: LookingUpPurchases.State?
        /// Why the transaction was refunded: `cancellation_reason`.
        package var reason: Int64 = 0
        /// The account's time; the wall's when no account is known.
        package var now: StoreTime
        /// `nil` when it isn't a subscription of this store.
        package var newest: NewestPeriod?
    }

    /// The newest period of a subscription.
    package struct NewestPeriod: Sendable {
        package var contents: TransactionReceipt
        /// The signed receipt; `nil` when the one that was sent is it, or the
        /// period is older than the certificates.
        package var receipt: Data?
        /// When it was refunded.
        package var revoked: StoreTime?
        package var reason: Int64 = 0
        /// Whether the period, and the grace period after it, have ended.
        package var isOver: Bool
        /// `nil` when the customer has turned the renewal off while a charge
        /// was retried.
        package var renewal: RenewalInfo?
    }

    /// Looks up a receipt that this store has signed.
    ///
    /// - Throws: `AppReceiptError` when the newer receipt can't be signed,
    ///   `DatabaseError`.
    package func callAsFunction(_ sent: TransactionReceipt) async throws -> Found {
        var found = try await read { db in try Self.read(sent, db) }
        if let newest = found.newest, newest.contents != sent {
            found.newest?.receipt = try authority.signIfValid(newest.contents)
            if found.newest?.receipt != nil { context.meters.count(.transactionReceipt) }
        }
        return found
    }

    private static func read(_ sent: TransactionReceipt, _ db: StoreTransaction) throws -> Found {
        let original = TransactionIdentifier(sent.originalTransactionIdentifier)
        // A restored transaction isn't a purchase. The billing's number names
        // the period that it restores, and a non-consumable has only one
        // chain.
        let names = [
            TransactionIdentifier(sent.transactionIdentifier),
            sent.unknownEntries[TransactionReceipt.webOrderKey].map { TransactionIdentifier($0) } ?? original,
        ]
        let states = try LookingUpPurchases.states(
            of: names + [original], in: BundleIdentifier(sent.bundleIdentifier), db)
        let state = names.lazy.compactMap { states[$0] }.first
        guard let known = state ?? states[original] else { return Found(now: AccountClock().time(at: db.now)) }
        var found = Found(state: known, now: known.clock.time(at: db.now))
        if known.isOfClosedAccount { return found }
        if known.revoked != nil, let revoked = names.first(where: { states[$0] != nil }) {
            found.reason = try reason(of: revoked, of: known.account, db)
        }
        if sent.expirationDate == nil { return found }
        found.newest = try newestPeriod(
            of: OriginalTransactionIdentifier(original), known.account, sent, at: found.now, db)
        return found
    }

    private static func reason(
        of transaction: TransactionIdentifier, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Int64 {
        guard let purchase = try Purchase.find(transaction, of: account, db) else { return 0 }
        return try ServedDetails.of([purchase], withApps: false, db).revocationReason(of: purchase)
    }

    private static func newestPeriod(
        of original: OriginalTransactionIdentifier, _ account: AccountIdentifier, _ sent: TransactionReceipt,
        at now: StoreTime, _ db: StoreTransaction
    ) throws -> NewestPeriod? {
        guard let state = try Subscription.find(original, of: account, db)?.newestState,
            let purchase = try Purchase.find(state.period.transaction, of: account, db)
        else { return nil }
        return NewestPeriod(
            contents: TransactionReceipt(purchase, in: db.environment, instead: sent), revoked: purchase.revoked,
            reason: purchase.revoked == nil ? 0 : try reason(of: purchase.transactionIdentifier, of: account, db),
            isOver: now >= state.end && state.status(at: now) != .billingGracePeriod,
            renewal: RenewalInfo(original, state, at: now))
    }
}

extension TransactionReceipt {
    /// The receipt of a subscription's period for the device and the app
    /// version of another one. It is the other one if that is of the same
    /// period, also if it was restored.
    fileprivate init(_ purchase: Purchase, in environment: StoreEnvironment, instead sent: TransactionReceipt) {
        self.init(purchase, in: environment, bundleVersion: sent.bundleVersion)
        if unknownEntries[Self.webOrderKey] == sent.unknownEntries[Self.webOrderKey],
            expirationDate == sent.expirationDate
        {
            self = sent
            return
        }
        appItemIdentifier = sent.appItemIdentifier
        unknownEntries.merge(sent.unknownEntries) { own, _ in own }
    }
}

extension SigningAuthority {
    /// Signs a receipt; `nil` for a transaction from before the current
    /// certificates were valid, whose signature would be rejected.
    func signIfValid(_ receipt: TransactionReceipt) throws -> Data? {
        do {
            return try sign(receipt)
        } catch let error as AppReceiptError where error.code == .notValidAtCreationDate {
            return nil
        }
    }
}
