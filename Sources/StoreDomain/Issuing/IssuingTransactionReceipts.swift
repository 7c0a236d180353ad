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
            let found = try Self.find(
                transactions, to: device, of: account, bundleIdentifier: bundleIdentifier,
                applicationVersion: applicationVersion, db)
            return (account, Set(transactions).sorted().compactMap { found[$0] })
        }
        guard let (account, receipts) = read else { return nil }
        try await authority.refreshIfStale(now: now.date)
        let signed = try receipts.compactMap { receipt in
            // No delivery waits for the receipt of a transaction from before the
            // current certificates were valid.
            try authority.signIfValid(receipt).map { (receipt.transactionIdentifier, $0) }
        }
        context.meters.count(.transactionReceipt, by: signed.count)
        return Issued(receipts: Dictionary(signed) { first, _ in first }, account: account)
    }

    /// The contents of the receipts, by the transaction's identifier.
    private static func find(
        _ transactions: [TransactionIdentifier], to device: DeviceIdentifier, of account: Account,
        bundleIdentifier: BundleIdentifier, applicationVersion: String, _ db: StoreTransaction
    ) throws -> [TransactionIdentifier: TransactionReceipt] {
        var receipts: [TransactionIdentifier: TransactionReceipt] = [:]
        for batch in statement.batches(of: transactions) {
            let scope: [any DatabaseValueConvertible] = [
                db.environment.rawValue, device, account.identifier.bucket, applicationVersion,
            ]
            for row in try db.rows(batch.sql, scope + batch.values) {
                let bought = try Purchase(row)
                guard bought.account == account.identifier, bought.bundleIdentifier == bundleIdentifier else {
                    continue
                }
                let restored: TransactionIdentifier? = try row.get("restored_transaction_id")
                let identifier = restored ?? bought.transactionIdentifier
                var receipt = TransactionReceipt(bought, in: db.environment, bundleVersion: applicationVersion)
                receipt.transactionIdentifier = identifier.rawValue
                if db.environment == .production {
                    receipt.set(
                        AppNumbers(app: try row.get("apple_id"), version: try row.get("external_identifier")))
                }
                // A restored period of a subscription keeps its date.
                if restored != nil, bought.term == nil {
                    receipt.purchaseDate = StoreTime(milliseconds: try row.get("restored_at")).date
                }
                receipts[identifier] = receipt
            }
        }
        return receipts
    }

    /// The numbers of the app and of its version.
    private static let numbers = """
        (SELECT app.apple_id FROM app WHERE app.bundle_id = purchase.bundle_id) AS apple_id,
        (SELECT app_version.external_identifier FROM app_version
        WHERE app_version.bundle_id = purchase.bundle_id AND app_version.version = $4) AS external_identifier
        """

    /// No identifier is in both tables.
    private static let statement = BatchedStatement(firstPlace: 5) { list in
        """
        SELECT \(Purchase.columns), \(numbers), NULL AS restored_transaction_id, NULL AS restored_at
        FROM purchase
        WHERE purchase.environment = $1 AND purchase.bucket = $3 AND purchase.transaction_id IN (\(list))
        UNION ALL SELECT \(Purchase.columns), \(numbers), restored_transaction.transaction_id,
            restored_transaction.restored_at
        FROM restored_transaction JOIN purchase
            ON purchase.environment = restored_transaction.environment
            AND purchase.transaction_id = restored_transaction.restores_transaction_id
            AND purchase.bucket = restored_transaction.account_bucket
        WHERE restored_transaction.environment = $1 AND restored_transaction.device_id = $2
            AND restored_transaction.account_bucket = $3 AND restored_transaction.transaction_id IN (\(list))
        """
    }
}

extension TransactionReceipt {
    /// A receipt of one purchase. The entries of a subscription's period beside
    /// its end have no property in the format's type.
    init(_ purchase: Purchase, in environment: StoreEnvironment, bundleVersion: String) {
        self.init(
            environment: environment == .production ? .production : .sandbox,
            bundleIdentifier: purchase.bundleIdentifier.rawValue,
            bundleVersion: bundleVersion,
            productIdentifier: purchase.productIdentifier.rawValue,
            quantity: purchase.quantity,
            transactionIdentifier: purchase.transactionIdentifier.rawValue,
            purchaseDate: purchase.date.date,
            originalTransactionIdentifier: purchase.originalTransactionIdentifier.rawValue,
            originalPurchaseDate: purchase.originalDate.date,
            expirationDate: purchase.term?.expires.date,
            unknownEntries: purchase.term.map { term in
                [
                    Self.webOrderKey: term.webOrder.rawValue,
                    "is-trial-period": String(term.offer?.isTrial ?? false),
                    "is-in-intro-offer-period": String(term.offer?.isPaidIntroduction ?? false),
                ]
            } ?? [:])
    }

    /// Sets the numbers of the app and of its version in a receipt of production.
    /// Each of them is 0 when the app has none.
    mutating func set(_ numbers: AppNumbers) {
        appItemIdentifier = String(numbers.app ?? 0)
        unknownEntries[Self.versionKey] = String(numbers.version ?? 0)
    }

    /// The entry with the number of the app's version.
    static let versionKey = "version-external-identifier"

    /// The entry with the number of a subscription's billing. In this store it
    /// is the number of the transaction that was bought, also in the receipt of
    /// a transaction that restores it.
    static let webOrderKey = "web-order-line-item-id"
}
