// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreTestSupport
import Testing

/// Receipts of single transactions (In-App Purchase Programming Guide,
/// chapter 5).
struct TransactionReceiptTests {
    @Test("Purchased and restored transactions have a receipt each", arguments: Engine.stores)
    func boughtAndRestored(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let juice = try await phone.buy("juice", request: "2", quantity: 3, as: anna)
            try await phone.finish(apple.transactionIdentifier)
            try await phone.finish(juice.transactionIdentifier)
            try await tablet.signIn(anna)
            store.clock.advance(by: .seconds(60))
            let restored = try #require(try await tablet.restore(request: "restore").transactions.first)

            let bought = try await phone.transactionReceipts([juice.transactionIdentifier])
            let again = try await tablet.transactionReceipts([restored.transactionIdentifier])

            let first = try #require(bought[juice.transactionIdentifier])
            #expect(first.environment == .sandbox)
            #expect(first.bundleIdentifier == TestStore.bundleIdentifier)
            #expect(first.bundleVersion == "1.0")
            #expect(first.productIdentifier == "juice")
            #expect(first.quantity == 3)
            #expect(first.originalTransactionIdentifier == juice.transactionIdentifier)
            #expect(Int64(first.purchaseDate.timeIntervalSince1970 * 1000) == juice.purchaseDate)
            let second = try #require(again[restored.transactionIdentifier])
            #expect(second.transactionIdentifier == restored.transactionIdentifier)
            #expect(second.originalTransactionIdentifier == apple.transactionIdentifier)
            #expect(Int64(second.purchaseDate.timeIntervalSince1970 * 1000) == restored.purchaseDate)
            #expect(Int64(second.originalPurchaseDate.timeIntervalSince1970 * 1000) == apple.purchaseDate)
        }
    }

    @Test("A receipt goes to its account only, one of a restore to its device only", arguments: Engine.stores)
    func others(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let ben = try await store.addAccount("ben@example.com")
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            try await phone.finish(apple.transactionIdentifier)
            let restored = try #require(try await phone.restore(request: "restore").transactions.first)
            let numbers = [apple.transactionIdentifier, restored.transactionIdentifier, "2000000000000000", ""]

            #expect(try await Set(phone.transactionReceipts(numbers).keys) == Set(numbers.prefix(2)))
            try await tablet.signIn(anna)
            #expect(try await Set(tablet.transactionReceipts(numbers).keys) == [apple.transactionIdentifier])
            let watch = try await store.addDevice(3)
            try await watch.signIn(ben)
            #expect(try await watch.transactionReceipts(numbers).isEmpty)
            try await ImportingCatalogue(store.context)(
                try StoreKitConfigurationFile(
                    Data(TestStore.catalogue.utf8), file: "test.storekit", bundleIdentifier: "com.example.vegetables"),
                into: App(bundleIdentifier: "com.example.vegetables", name: "Vegetables"))
            let elsewhere = try await phone.call(
                TransactionReceiptsCall(
                    bundleIdentifier: "com.example.vegetables", applicationVersion: "1.0", transactions: numbers))
            #expect(elsewhere == TransactionReceiptsCall.Answer(account: anna.identifier.rawValue))
        }
    }

    @Test(
        "A purchase older than the certificates has none, and the others have theirs", arguments: Engine.stores)
    func tooOld(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let old = try await phone.buy("apple", request: "1", as: anna)
            let new = try await phone.buy("juice", request: "2", as: anna)
            // 1999: certificates of a sandbox are valid from 2000 on.
            try await store.context.database.write { connection in
                _ = try connection.run(
                    "UPDATE purchase SET purchased_at = 915148800000 WHERE transaction_id = $1",
                    [old.transactionIdentifier])
            }

            let receipts = try await phone.transactionReceipts([old.transactionIdentifier, new.transactionIdentifier])

            #expect(Array(receipts.keys) == [new.transactionIdentifier])
        }
    }

    @Test("The answer to a device without a signed-in account has no account", arguments: Engine.stores)
    func signedOut(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let answer = try await phone.call(
                TransactionReceiptsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0", transactions: ["1"]))
            #expect(answer == TransactionReceiptsCall.Answer(account: nil))
        }
    }

    @Test("A message that names too many is refused", arguments: Engine.stores)
    func tooMany(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let numbers = (0...TransactionReceiptsCall.limit).map { "\($0)" }
            let failure = await #expect(throws: StoreFailure.self) {
                try await phone.call(
                    TransactionReceiptsCall(
                        bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0",
                        transactions: numbers))
            }
            #expect(failure?.code == .invalid)
            #expect(failure?.message.contains("100") == true)
        }
    }
}

extension TestDevice {
    /// The verified receipts of transactions, by their identifiers.
    fileprivate func transactionReceipts(_ numbers: [String]) async throws -> [String: TransactionReceipt] {
        let answer = try await call(
            TransactionReceiptsCall(
                bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0", transactions: numbers))
        let verifier = try TestStore.authority.get().transactionReceiptVerifier
        return try answer.receipts.mapValues { text in
            guard
                case .verified(let receipt) = try verifier.verify(
                    try #require(Data(base64Encoded: text)),
                    expecting: TestStore.bundleIdentifier)
            else { throw StoreFailure(.internalError, "The receipt is refused.") }
            return receipt.contents
        }
    }
}
