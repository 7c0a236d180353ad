// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Deletes all purchases of a sandbox account, so that a tester begins again
/// with the same account.
package struct ClearingPurchases: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Deletes the account's purchases in all apps, with the subscriptions, the
    /// restored transactions and the uses of offers. Purchases that other
    /// members of the family share stay. Devices remove the transactions from
    /// their queues. Repeating it deletes the rest, also of those beyond `most`.
    ///
    /// - Returns: The number of deleted purchases.
    /// - Throws: ``DomainError``: `notFound` for an unknown account, `invalid` in
    ///   production.
    @discardableResult
    package func callAsFunction(email: String, most: Int = .max) async throws -> Int {
        guard environment == .sandbox else {
            throw DomainError(.invalid, "Only the purchases of a sandbox account can be deleted.")
        }
        let account = try await FindingAccount(context)(email: email).identifier
        let mine = try await purchases(of: account, atLeast: most).prefix(most)
        for transaction in mine { try await forget(transaction) }
        return mine.count
    }

    /// The purchases of an account that other members of the family don't
    /// share with it: the newest, at least as many as are asked for.
    func purchases(of account: AccountIdentifier, atLeast count: Int = .max) async throws -> [TransactionIdentifier] {
        let reading = ReadingPurchaseHistory(context)
        var mine: [TransactionIdentifier] = []
        var last: TransactionIdentifier?
        repeat {
            let page = try await reading(of: account, before: last)
            mine += page.entries.map(\.purchase).filter { $0.share == nil }.map(\.transactionIdentifier)
            last = page.next
        } while last != nil && mine.count < count
        return mine
    }

    /// Deletes a purchase that another call may have deleted by now.
    private func forget(_ transaction: TransactionIdentifier) async throws {
        do {
            _ = try await ForgettingPurchase(context)(transaction)
        } catch let error as DomainError where error.code == .notFound {}
    }
}
