// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreServer
import StoreService
import StoreTestSupport
import Testing

/// `/verifyReceipt`, as a seller's server uses it.
struct VerifyReceiptTests {
    private func status(_ response: TestResponse) throws -> Int? {
        #expect(response.status == .ok)
        return try response.object()["status"] as? Int
    }

    @Test("A receipt of this store is valid and lists its purchase", arguments: Engine.servers)
    func aReceiptOfThisStoreIsValid(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let bought = try await device.buy("apple", request: "r", as: anna)
            let receipt = try #require(try await device.receiptAnswer().receipt)

            let response = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"}")

            #expect(try status(response) == 0)
            let object = try response.object()
            #expect(object["environment"] as? String == "Sandbox")
            let body = try #require(object["receipt"] as? [String: Any])
            #expect(body["bundle_id"] as? String == TestStore.bundleIdentifier)
            #expect(body["receipt_type"] as? String == "ProductionSandbox")
            let purchase = try #require((body["in_app"] as? [[String: Any]])?.first)
            #expect(purchase["transaction_id"] as? String == bought.transactionIdentifier)
            #expect(purchase["quantity"] as? String == "1")
            #expect(purchase["purchase_date"] as? String == "2026-01-02 03:04:05 Etc/GMT")
            #expect(purchase["purchase_date_ms"] as? String == "1767323045000")
            #expect(purchase["purchase_date_pst"] as? String == "2026-01-01 19:04:05 America/Los_Angeles")
        }
    }

    @Test("A transaction receipt of this store is valid and has its purchase", arguments: Engine.servers)
    func aReceiptOfOneTransactionIsValid(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let bought = try await device.buy("apple", request: "r", as: anna)
            let number = bought.transactionIdentifier
            let answer = try await device.call(
                TransactionReceiptsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0", transactions: [number]))
            let receipt = try #require(answer.receipts[number])

            let response = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"}")

            #expect(try status(response) == 0)
            let body = try #require(try response.object()["receipt"] as? [String: Any])
            #expect(body["bid"] as? String == TestStore.bundleIdentifier)
            #expect(body["bvrs"] as? String == "1.0")
            #expect(body["product_id"] as? String == "apple")
            #expect(body["transaction_id"] as? String == number)
            #expect(body["original_transaction_id"] as? String == number)
            #expect(body["quantity"] as? String == "1")
        }
    }

    @Test("Wrong methods are 21000, and wrong bodies are 21002", arguments: Engine.servers)
    func wrongRequestsGetApplesCodes(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let get = try await client.get("/verifyReceipt")
            #expect(try status(get) == 21000)
            for method in [HTTPRequest.Method.put, .delete, .patch] {
                let response = try await client.executeRequest(
                    uri: "/verifyReceipt", method: method, headers: [:], body: ByteBuffer())
                #expect(try status(response) == 21000, "\(method)")
            }
            for body in [
                "{\"receipt-data\":\"MAA=\",\"password\":7}", "\u{0}", "{\"receipt-data\":\"e30=\"}",
                String(repeating: "[", count: 100_000),
                "{\"receipt-data\":\"\(String(repeating: "A", count: (3 << 20) - 30))\"}",
                "", "{", "[]", "{}", "{\"receipt-data\":5}", "{\"receipt-data\":\"\"}", "{\"receipt-data\":\"!!\"}",
                "{\"receipt-data\":\"AAAA\"}",
            ] {
                let response = try await client.post("/verifyReceipt", body)
                #expect(try status(response) == 21002, "\(body.prefix(60))")
            }
        }
    }

    @Test("A request of 3,145,728 bytes is read, and one of a byte more isn't, as Apple's", arguments: Engine.servers)
    func theLargestRequest(engine: Engine) async throws {
        try await engine.withHTTP { _, client in
            func request(_ bytes: Int) -> String {
                let frame = "{\"receipt-data\":\"\"}"
                return "{\"receipt-data\":\"\(String(repeating: "A", count: bytes - frame.utf8.count))\"}"
            }
            #expect(try status(try await client.post("/verifyReceipt", request(3_145_728))) == 21002)
            let larger = try await client.post("/verifyReceipt", request(3_145_729))
            #expect(larger.status == .contentTooLarge && larger.code == "too-large")
        }
    }

    @Test("A page of another origin can't ask", arguments: Engine.servers)
    func otherOrigins(engine: Engine) async throws {
        try await engine.withHTTP { _, client in
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let response = try await client.post("/verifyReceipt", "{}", headers: [site: "cross-site"])
            #expect(response.status == .forbidden && response.code == "cross-site")
        }
    }

    @Test("A receipt of another store is 21003", arguments: Engine.servers)
    func anotherStoresReceiptIsNotAuthentic(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            var generator = SeededGenerator(seed: 99)
            let other = try SigningAuthority.create(using: &generator)
            let receipt = try other.sign(
                AppReceipt(
                    environment: .sandbox, bundleIdentifier: "a", applicationVersion: "1", opaqueValue: Data([1]),
                    deviceHash: Data(count: 20), creationDate: store.clock.now.date))

            let response = try await client.post(
                "/verifyReceipt", "{\"receipt-data\":\"\(receipt.base64EncodedString())\"}")

            #expect(try status(response) == 21003)
        }
    }

    @Test("A production receipt is 21008 in the sandbox", arguments: Engine.servers)
    func aProductionReceiptIsForTheOtherStore(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let authority = try TestStore.authority.get()
            let receipt = try authority.sign(
                AppReceipt(
                    environment: .production, bundleIdentifier: "a", applicationVersion: "1", opaqueValue: Data([1]),
                    deviceHash: Data(count: 20), creationDate: store.clock.now.date))

            let response = try await client.post(
                "/verifyReceipt", "{\"receipt-data\":\"\(receipt.base64EncodedString())\"}")

            #expect(try status(response) == 21008)
        }
    }

    @Test(
        "The answer has the receipt that was sent, and marks refunded purchases as cancelled, with the reason",
        arguments: Engine.servers)
    func whatBecameOfAPurchaseSinceIsInTheAnswer(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let apple = try await device.buy("apple", request: "1", as: anna)
            let pear = try await device.buy("pear", request: "2", as: anna)
            let juice = try await device.buy("juice", request: "3", as: anna)
            let sent = try #require(try await device.receiptAnswer().receipt)
            func listed(_ receipt: String) async throws -> [[String: Any]] {
                let response = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"}")
                #expect(try status(response) == 0)
                let body = try #require(try response.object()["receipt"] as? [String: Any])
                return try #require(body["in_app"] as? [[String: Any]])
            }
            let before = try await listed(sent)
            #expect(Set(before.map { $0["product_id"] as? String }) == ["apple", "pear", "juice"])

            try await device.finish(apple.transactionIdentifier)
            try await device.finish(juice.transactionIdentifier)
            let asked = try await AskingForRefund(store.context)(
                TransactionIdentifier(pear.transactionIdentifier), of: anna.identifier, because: .broken, comment: nil)
            _ = try await DecidingRefund(store.context).approve(asked.identifier)

            // A server that verifies late finds the consumable in the receipt of before.
            let after = try await listed(sent)
            #expect(Set(after.map { $0["product_id"] as? String }) == ["apple", "pear", "juice"])
            let cancelled = after.filter { $0["cancellation_date"] != nil }
            #expect(cancelled.map { $0["product_id"] as? String } == ["pear"])
            #expect(cancelled.first?["cancellation_date_ms"] as? String == "1767323045000")
            #expect(cancelled.first?["cancellation_reason"] as? String == "1")
            let updated = try await listed(try #require(try await device.receiptAnswer().receipt))
            #expect(Set(updated.map { $0["product_id"] as? String }) == ["apple", "pear"])
        }
    }

    @Test(
        "A password brings the transactions of a receipt without a subscription, and neither a receipt nor renewals",
        arguments: Engine.servers)
    func aPasswordBringsTheTransactions(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice()
            let apple = try await device.buy("apple", request: "1", as: store.addAccount())
            let receipt = try #require(try await device.receiptAnswer().receipt)
            func keys(_ others: String) async throws -> Set<String> {
                Set(try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"\(others)}").object().keys)
            }
            #expect(try await keys("") == ["status", "environment", "receipt"])
            let password = ",\"password\":\"any\""
            #expect(try await keys(password) == ["status", "environment", "receipt", "latest_receipt_info"])
            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            let answer = try await client.post(
                "/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"\(password)}"
            ).object()
            let listed = try #require(answer["latest_receipt_info"] as? [[String: Any]])
            #expect(listed.map { $0["cancellation_reason"] as? String } == ["0"])
            let body = try #require(answer["receipt"] as? [String: Any])
            #expect(body["original_purchase_date"] as? String == "2013-08-01 07:00:00 Etc/GMT")
        }
    }

    @Test("A receipt of a closed account is 21010", arguments: Engine.servers)
    func aReceiptOfAClosedAccountIs21010(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let apple = try await device.buy("apple", request: "1", as: anna)
            let receipt = try #require(try await device.receiptAnswer().receipt)
            let old = try TestStore.authority.get().sign(
                TransactionReceipt(
                    bundleIdentifier: TestStore.bundleIdentifier, bundleVersion: "1", productIdentifier: "apple",
                    transactionIdentifier: apple.transactionIdentifier, purchaseDate: store.clock.now.date)
            ).base64EncodedString()
            func statuses() async throws -> [Int?] {
                var found: [Int?] = []
                for data in [receipt, old] {
                    let response = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(data)\"}")
                    found.append(try status(response))
                }
                return found
            }
            #expect(try await statuses() == [0, 0])

            try await ClosingAccount(store.context)(email: anna.email)

            #expect(try await statuses() == [21010, 21010])
            let refused = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"}").object()
            #expect(refused["environment"] as? String == "Sandbox" && refused["is_retryable"] as? Bool == false)
        }
    }

    @Test("A refunded purchase of the old format is cancelled", arguments: Engine.servers)
    func aRefundedPurchaseOfTheOldFormatIsCancelled(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let apple = try await store.addDevice().buy("apple", request: "1", as: anna)
            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            let receipt = try TestStore.authority.get().sign(
                TransactionReceipt(
                    bundleIdentifier: TestStore.bundleIdentifier, bundleVersion: "1", productIdentifier: "apple",
                    transactionIdentifier: apple.transactionIdentifier, purchaseDate: store.clock.now.date))

            let response = try await client.post(
                "/verifyReceipt", "{\"receipt-data\":\"\(receipt.base64EncodedString())\"}")

            #expect(try status(response) == 0)
            let body = try #require(try response.object()["receipt"] as? [String: String])
            #expect(body["cancellation_date"] == "2026-01-02 03:04:05 Etc/GMT")
            #expect(body["cancellation_reason"] == "0")
        }
    }

    @Test("A store that is stopping is 21005, and a damaged one is 21199", arguments: Engine.servers)
    func aStoreThatIsStoppingIs21005AndADamagedOneIs21199(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            try await device.buy("apple", request: "1", as: anna)
            let receipt = try #require(try await device.receiptAnswer().receipt)
            func ask() async throws -> [String: Any] {
                let response = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"}")
                #expect(response.status == .ok)
                return try response.object()
            }

            try await store.context.database.write { _ = try $0.run("ALTER TABLE purchase RENAME TO lost") }
            let damaged = try await ask()
            #expect(damaged["status"] as? Int == 21199)
            #expect(damaged["is_retryable"] as? Bool == false)
            try store.context.database.close()
            let stopping = try await ask()
            #expect(stopping["status"] as? Int == 21005)
            #expect(stopping["is_retryable"] == nil)
        }
    }

    @Test("The shared secret of another app is 21004", arguments: Engine.servers)
    func theSecretIsEachAppsOwn(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            try await device.buy("apple", request: "1", as: anna)
            let receipt = try #require(try await device.receiptAnswer().receipt)
            var configuration = ServerConfiguration(host: "localhost", port: 0)
            configuration.verifyReceipt = VerifyReceiptConfiguration(
                sharedSecrets: [TestStore.bundleIdentifier: "right", "com.example.vegetables": "other"])
            let router = try buildRouter(store.service, configuration)
            try await Application(router: router, logger: store.service.logger).test(.router) { client in
                for (password, expected) in [("right", 0), ("other", 21004), ("", 21004)] {
                    let response = try await client.post(
                        "/verifyReceipt", "{\"receipt-data\":\"\(receipt)\",\"password\":\"\(password)\"}")
                    #expect(try status(response) == expected, "\(password)")
                }
            }
        }
    }
}
