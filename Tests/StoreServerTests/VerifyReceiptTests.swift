// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

/// `/verifyReceipt`, as a seller's server meets it.
struct VerifyReceiptTests {
    private func status(_ response: TestResponse) throws -> Int? {
        #expect(response.status == .ok)
        return try response.object()["status"] as? Int
    }

    @Test func aReceiptOfThisStoreIsValid() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
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

    @Test func wrongRequestsGetApplesCodes() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
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
                "{\"receipt-data\":\"\(String(repeating: "A", count: 10 << 20))\"}",
                "", "{", "[]", "{}", "{\"receipt-data\":5}", "{\"receipt-data\":\"\"}", "{\"receipt-data\":\"!!\"}",
                "{\"receipt-data\":\"AAAA\"}",
            ] {
                let response = try await client.post("/verifyReceipt", body)
                #expect(try status(response) == 21002, "\(body.prefix(60))")
            }
        }
    }

    @Test func anotherStoresReceiptIsNotAuthentic() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
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

    @Test func aProductionReceiptIsForTheOtherStore() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
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
}
