// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
package import Foundation
import StoreDatabase

/// Issues a receipt for a single transaction of an account: the format that
/// sellers' servers verified before there were app receipts (In-App Purchase
/// Programming Guide, chapter 5).
package struct IssuingTransactionReceipts: UseCase {
    package let context: StoreContext
    /// The keys and certificates that sign the receipts.
    package let authority: SigningAuthority

    package init(_ context: StoreContext, authority: SigningAuthority) {
        self.context = context
        self.authority = authority
    }

    /// The signed receipts, by transaction identifier.
    package struct Issued: Sendable {
        /// Property lists, which apps read as `transactionReceipt`.
        package var receipts: [String: Data]
        /// The account that is signed in on the device.
        package var account: Account
    }

    /// Signs receipts for the account that is signed in on the device; `nil`
    /// when none is. A transaction gets no receipt if it was bought by
    /// another account or in another app, restored to another device, or
    /// bought before the current certificates were valid.
    package func callAsFunction(
        _ transactions: [TransactionIdentifier], to device: DeviceIdentifier, bundleIdentifier: BundleIdentifier,
        applicationVersion: String
    ) async throws -> Issued? {
        let read = try await read { db -> (Account, [TransactionReceipt])? in
            guard let account = try Device.signedInAccount(on: device, db) else { return nil }
            let found = try Set(transactions).sorted().compactMap { number -> TransactionReceipt? in
                let purchase = try Purchase.find(number, db)
                let restored =
                    try purchase == nil
                    ? RestoringPurchases.find(number, on: device, db) : nil
                guard let bought = purchase ?? restored?.original, bought.account == account.identifier,
                    bought.bundleIdentifier == bundleIdentifier
                else { return nil }
                var receipt = TransactionReceipt(bought, in: db.environment, bundleVersion: applicationVersion)
                if let restored {
                    receipt.transactionIdentifier = restored.transactionIdentifier.rawValue
                    receipt.purchaseDate = restored.date.date
                }
                return receipt
            }
            return (account, found)
        }
        guard let (account, receipts) = read else { return nil }
        try await authority.refreshIfStale(now: now.date)
        let signed = try receipts.compactMap { receipt in
            try sign(receipt).map { (receipt.transactionIdentifier, $0) }
        }
        context.meters.count(.transactionReceipt, by: signed.count)
        return Issued(receipts: Dictionary(signed) { first, _ in first }, account: account)
    }

    /// Signs a receipt; `nil` for a transaction from before the current
    /// certificates were valid. Its signature would be rejected, and no
    /// delivery waits for this receipt.
    private func sign(_ receipt: TransactionReceipt) throws -> Data? {
        do {
            return try authority.sign(receipt)
        } catch let error as AppReceiptError where error.code == .notValidAtCreationDate {
            return nil
        }
    }
}

extension TransactionReceipt {
    fileprivate init(_ purchase: Purchase, in environment: StoreEnvironment, bundleVersion: String) {
        self.init(
            environment: environment == .production ? .production : .sandbox,
            bundleIdentifier: purchase.bundleIdentifier.rawValue,
            bundleVersion: bundleVersion,
            productIdentifier: purchase.productIdentifier.rawValue,
            quantity: purchase.quantity,
            transactionIdentifier: purchase.transactionIdentifier.rawValue,
            purchaseDate: purchase.date.date,
            originalTransactionIdentifier: purchase.originalTransactionIdentifier.rawValue,
            originalPurchaseDate: purchase.originalDate.date)
    }
}
