// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
import Foundation
package import StoreAPI
import StoreDatabase
import Synchronization

/// The signed transactions of the account, for StoreKit 2.
extension Agent {
    /// Starts to fetch signed transactions. They are fetched from then on,
    /// also in later processes.
    ///
    /// - Throws: `DatabaseError`.
    package func useSignedTransactions() async throws {
        if try await journal.useSigned() { synchronizer.changed() }
    }

    /// Asks the store for changes of the signed transactions.
    ///
    /// - Returns: the number of the request, for
    ///   ``waitForSignedAnswer(to:atMost:)``.
    /// - Throws: `DatabaseError`.
    package func refreshSignedTransactions() async throws -> Int64 {
        let wanted = try await journal.wantSigned()
        synchronizer.changed()
        return wanted
    }

    /// A page of transactions of a product, or of all products, before a place,
    /// the newest purchase first; empty after the last one. With `isOwned`,
    /// only those that may be entitlements: no consumables, and no revoked
    /// ones. With an account, there are none of another one.
    ///
    /// - Throws: `DatabaseError`.
    package func signedTransactions(
        of product: String? = nil, isOwned: Bool = false, account: String? = nil, before place: SignedRow.Place? = nil
    ) async throws -> [SignedRow] {
        await readRoots()
        return try await journal.signed(of: product, isOwned: isOwned, account: account, before: place)
    }

    /// The account of the signed transactions, if it is signed in.
    ///
    /// - Throws: `DatabaseError`.
    package func signedAccount() async throws -> String? {
        try await journal.database.read { try Journal.signedAccount($0) }
    }

    /// A page of the periods of auto-renewable subscriptions before a place, the
    /// newest purchase first, without those that can't be read. They aren't
    /// verified: verifying a long history takes seconds.
    ///
    /// - Returns: the periods, and the place of the next page; `nil` after the
    ///   last one.
    /// - Throws: `DatabaseError`.
    package func signedPeriods(
        before place: SignedRow.Place? = nil
    ) async throws -> (periods: [TransactionPayload], next: SignedRow.Place?) {
        let rows = try await journal.signedPeriods(before: place)
        let periods = rows.compactMap { verifier.unverified($0.signed, as: TransactionPayload.self) }
        return (periods, rows.last?.place)
    }

    /// One transaction; `nil` when the journal doesn't have it.
    ///
    /// - Throws: `DatabaseError`.
    package func signedTransaction(_ transaction: String) async throws -> SignedRow? {
        await readRoots()
        return try await journal.signed(transaction)
    }

    /// The renewals of a group, or of all groups, each with the transaction of
    /// its newest period.
    ///
    /// - Throws: `DatabaseError`.
    package func signedRenewals(
        of group: String? = nil
    ) async throws -> [(renewal: SignedRenewalRow, transaction: SignedRow)] {
        await readRoots()
        return try await journal.signedRenewals(of: group)
    }

    /// The JWS of the app transaction; `nil` before the store has sent one.
    ///
    /// - Throws: `DatabaseError`.
    package func signedApp() async throws -> String? {
        await readRoots()
        return try await journal.signedApp()
    }

    /// The customer's storefront, like ``storefront``, without blocking the
    /// thread.
    ///
    /// - Throws: `DatabaseError`.
    package func currentStorefront() async throws -> StorefrontInfo? {
        try await journal.database.read { try JournalState.load($0).storefront }
    }

    /// The names of the price increases that wait for the customer's consent;
    /// empty before the store has sent them.
    ///
    /// - Throws: `DatabaseError`.
    package func priceIncreases() async throws -> [String] {
        try await journal.database.read { try JournalState.load($0).priceIncreases ?? [] }
    }

    /// The account's time, like ``accountTime``, without blocking the thread.
    ///
    /// - Throws: `DatabaseError`.
    package func currentAccountTime() async throws -> Int64 {
        clock.now + (try await journal.database.read { try JournalState.load($0).clockOffset })
    }

    /// Waits until all signed transactions of the customer who is signed in
    /// are on this device for the first time, at most for a time. Does nothing
    /// when they are, and when a task of this process has waited for this
    /// customer already: the device may be offline.
    ///
    /// - Throws: `CancellationError`, `DatabaseError`.
    package func waitForFirstSignedTransactions(atMost limit: Duration) async throws {
        guard let account = try await journal.accountWithoutSigned(),
            hasWaitedForSigned.withLock({ $0 != account })
        else { return }
        _ = try await wait(atMost: limit, from: ()) { [journal] _ in
            try await journal.accountWithoutSigned() == nil
        }
        hasWaitedForSigned.withLock { $0 = account }
    }

    /// Waits for the store's answer to a request, or for its first answer since
    /// the app has used signed transactions, at most for a time.
    ///
    /// - Returns: whether there is one.
    /// - Throws: `CancellationError`, `DatabaseError`.
    package func waitForSignedAnswer(to request: Int64? = nil, atMost limit: Duration) async throws -> Bool {
        try await wait(atMost: limit, from: ()) { [journal] _ in try await journal.hasSignedAnswer(upTo: request) }
    }

    /// Waits until a condition holds, which is tested now and after each change
    /// of the journal, at most for a time. Each test has the state that the
    /// one before has left.
    ///
    /// - Returns: whether it holds.
    /// - Throws: `CancellationError`, the condition's error.
    func wait<State: Sendable>(
        atMost limit: Duration, from first: State, until isMet: @escaping @Sendable (inout State) async throws -> Bool
    ) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [self] in
                var state = first
                while true {
                    let generation = changes.generation
                    if try await isMet(&state) { return true }
                    guard !changes.isClosed else { return false }
                    await changes.wait(after: generation)
                    try Task.checkCancellation()
                }
            }
            group.addTask { [clock] in
                try await clock.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }

    /// Verifies a signed transaction of the journal.
    package func verdict(_ row: SignedRow) -> SignedVerdict<TransactionPayload> {
        var verdict = verifier.verdict(row.signed, as: TransactionPayload.self)
        let names = [verdict.payload?.transactionId, verdict.payload?.productId]
        guard names != [row.transactionIdentifier, row.productIdentifier] else { return verdict }
        // The signed value is another transaction's, or can't be read.
        verdict.failure = verdict.failure ?? .invalidEncoding
        var payload = verdict.payload ?? TransactionPayload()
        payload.transactionId = row.transactionIdentifier
        payload.productId = row.productIdentifier
        verdict.payload = payload
        return verdict
    }

    /// Verifies the signed renewal of a subscription. It names no app: it is
    /// trusted only if the transaction of the newest period names its
    /// subscription, and that transaction is of the row's group.
    package func verdict(
        _ row: SignedRenewalRow, of transaction: TransactionPayload
    ) -> SignedVerdict<RenewalInfoPayload> {
        var verdict = verifier.verdict(row.signed, as: RenewalInfoPayload.self)
        guard let payload = verdict.payload else { return verdict }
        let isOfRow =
            payload.originalTransactionId == transaction.originalTransactionId
            && transaction.transactionId == row.transactionIdentifier
            && transaction.subscriptionGroupIdentifier == row.group
        if !isOfRow { verdict.failure = verdict.failure ?? .invalidEncoding }
        return verdict
    }

    /// Verifies a signed app transaction.
    package func verdict(app signed: String) -> SignedVerdict<AppTransactionPayload> {
        verifier.verdict(signed, as: AppTransactionPayload.self)
    }
}
