// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Gives an unfinished consumable or non-renewing subscription to another
/// device of its account when its holder has signed out of the account, or
/// wasn't seen for a day.
package struct HandingOverConsumables: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Hands over every consumable that another device can take. Each
    /// statement reads `size` unfinished transactions.
    ///
    /// `report` is called after each change of an account, whose devices have
    /// to be notified, and after each failure of one. The next call of the use
    /// case tries it again.
    ///
    /// - Throws: `DatabaseError` when the consumables can't be read.
    package func callAsFunction(
        inPagesOf size: Int = 100, _ report: (Result<AccountIdentifier, any Error>) -> Void
    ) async throws {
        var last: AbandonedConsumable.Position? = .init()
        while let position = last {
            let page = try await read { db in
                try AbandonedConsumable.page(after: position, limit: size, db)
            }
            for abandoned in page.abandoned {
                do {
                    let isHandedOver = try await write(for: abandoned.account) { db in
                        try Self.handOver(abandoned, db)
                    }
                    if isHandedOver { report(.success(abandoned.account)) }
                } catch {
                    report(.failure(error))
                }
            }
            last = page.end
        }
    }

    /// Moves the entry to the device that was used last; `false` when the
    /// transaction was finished, or the holder has come back, meanwhile.
    private static func handOver(_ abandoned: AbandonedConsumable, _ db: StoreTransaction) throws -> Bool {
        guard var formerHolders = try abandoned.formerHolders(db),
            let purchase = try Purchase.find(abandoned.transaction, of: abandoned.account, db),
            let heir = try DeviceApp.users(
                of: abandoned.bundleIdentifier, account: abandoned.account,
                seenAfter: db.now - DeviceApp.absence, db
            ).first(where: { $0 != abandoned.holder })
        else { return false }
        try UnfinishedTransaction.remove(purchase, from: abandoned.holder, db)
        let event = try AccountEvent.append(
            .handedOver, account: abandoned.account, bundleIdentifier: abandoned.bundleIdentifier,
            transactionIdentifier: abandoned.transaction, changesReceipt: false, db)
        formerHolders.append(abandoned.holder)
        try UnfinishedTransaction.insert(
            purchase, for: heir, formerHolders: formerHolders, requestIdentifier: nil, eventNumber: event.number, db)
        return true
    }
}
