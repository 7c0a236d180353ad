// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreDomain

extension StoreLife {
    /// Looks up receipts of subscriptions, as for a seller's server.
    func verifyReceipts(of anna: Account, on phone: TestDevice) async throws {
        try await store.sellBaskets()
        let authority = try TestStore.authority.get()
        for product in ["small", "paper"] {
            let bought = try await phone.buy(product, request: product, as: anna)
            let receipt = try #require(try await phone.receiptAnswer().receipt.flatMap { Data(base64Encoded: $0) })
            let contents = try UnverifiedAppReceipt(parsing: receipt).contents
            let found = try await LookingUpReceipt(store.context, authority: authority)(contents, extent: .all)
            #expect(found.history?.renewals.isEmpty == false)
            let old = TransactionReceipt(
                bundleIdentifier: TestStore.bundleIdentifier, bundleVersion: "1", productIdentifier: product,
                transactionIdentifier: bought.transactionIdentifier, purchaseDate: store.clock.now.date,
                expirationDate: store.clock.now.date)
            let period = try await LookingUpTransactionReceipt(store.context, authority: authority)(old).newest
            #expect(period != nil)
            try await serve(TransactionIdentifier(bought.transactionIdentifier))
        }
    }

    /// Answers a seller's server.
    private func serve(_ transaction: TransactionIdentifier) async throws {
        let app = BundleIdentifier(TestStore.bundleIdentifier)
        let seller = try await TestSeller(store.context, keyIdentifier: "KEY\(transaction)")
        let token = try ServerToken(authorization: seller.authorization(at: store.clock.now))
        #expect(try await AuthenticatingServer(store.context)(token).app == app)
        for order in [ReadingServedHistory.Order.ascending, .descending] {
            let page = try await ReadingServedHistory(store.context)(
                of: transaction, in: app, PurchaseFilter(), order)
            #expect(!page.purchases.isEmpty)
        }
        #expect(try await !ReadingSubscriptionStatuses(store.context)(of: transaction, in: app).isEmpty)
    }

    /// The changes that a seller's server makes: a token, information about a
    /// purchase whose refund is asked for, and an extension for all subscribers.
    func sell(_ purchase: Purchase, of anna: Account) async throws {
        let app = BundleIdentifier(TestStore.bundleIdentifier)
        let (context, transaction) = (store.context, purchase.transactionIdentifier)
        let token = "6FBF1F1C-7B43-4B2A-9C0A-4D2A4E1E7E55"
        let original = TransactionIdentifier(purchase.originalTransactionIdentifier)
        try await SettingAccountToken(context)(token, of: original, in: app)
        try await FinishingServedTransaction(context)(transaction, in: app)
        let served = try await ReadingServedApp(context)(of: transaction, in: app)
        _ = try await ReadingServedApp(context)(of: try #require(served.transaction), in: app)
        _ = try await AskingForRefund(context)(transaction, of: anna.identifier, because: .broken, comment: nil)
        try await SavingConsumption(context)(
            Consumption(version: 2, fields: ["deliveryStatus": "DELIVERED"]), about: transaction, in: app)
        let bought = try await ReadingServedHistory(context)(of: transaction, in: app, PurchaseFilter()).purchases
        for some in [[purchase], bought] {
            _ = try await context.read { db in
                var revoked = some
                for index in revoked.indices { revoked[index].revoked = revoked[index].date }
                return try ServedDetails.of(revoked, db)
            }
        }
    }
}
