// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

@testable import StoreServer

/// The forms of `receipt-data` that `/verifyReceipt` accepts and refuses, as
/// Apple's service was observed to.
struct ReceiptDataTests {
    /// A receipt whose base64 ends with one `=`, and one whose base64 ends
    /// with two.
    private static func receipts() throws -> [String] {
        let texts = try (0..<40).map { number in
            try TestStore.authority.get().sign(
                AppReceipt(
                    environment: .sandbox, bundleIdentifier: "com.example.fruit",
                    applicationVersion: String(repeating: "1", count: number + 1), opaqueValue: Data([1]),
                    deviceHash: Data(count: 20), creationDate: try Date("2026-01-01T00:00:00Z", strategy: .iso8601)
                )
            ).base64EncodedString()
        }
        return [
            try #require(texts.first { $0.hasSuffix("=") && !$0.hasSuffix("==") }),
            try #require(texts.first { $0.hasSuffix("==") }),
        ]
    }

    @Test("White space, base64url and wrong padding are 21002", arguments: Engine.servers)
    func otherFormsOfBase64(engine: Engine) async throws {
        try await engine.withHTTP { _, client in
            for text in try Self.receipts() {
                #expect(try await status(client, text) == 0)
                let plain = text.replacing("=", with: "")
                for other in [
                    " " + text, text + " ", text + "\\n", text + "\\r\\n", text + "\\t",
                    String(text.prefix(76)) + "\\r\\n" + text.dropFirst(76), plain, text + "=", plain + "====",
                    text + "====", text.replacing("+", with: "-").replacing("/", with: "_"),
                    "=" + text, String(text.prefix(40)) + "====" + text.dropFirst(40), text + "\\u0000", "", "=",
                    "====",
                ] where other != text {
                    #expect(try await status(client, other) == 21002, "\(other.suffix(8))")
                }
            }
        }
    }

    @Test("Unused bits of the last character may have any value", arguments: Engine.servers)
    func unusedBits(engine: Engine) async throws {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        try await engine.withHTTP { _, client in
            for (text, unused) in zip(try Self.receipts(), [3, 15]) {
                let plain = text.replacing("=", with: "")
                let last = try #require(plain.last.flatMap(alphabet.firstIndex))
                #expect(last & unused == 0)
                for bits in 1...unused {
                    let other = plain.dropLast() + String(alphabet[last | bits]) + text.suffix(text.count - plain.count)
                    #expect(try await status(client, String(other)) == 0, "\(bits)")
                }
            }
        }
    }

    @Test("JSON's escapes and unknown fields are accepted", arguments: Engine.servers)
    func escapesAndFields(engine: Engine) async throws {
        try await engine.withHTTP { _, client in
            let text = try Self.receipts()[0]
            #expect(try await status(client, text.replacing("/", with: "\\/")) == 0)
            #expect(try await status(client, text.replacing("M", with: "\\u004d")) == 0)
            #expect(try await status(client, text, #","a":[1]"#) == 0)
        }
    }

    @Test("Bytes behind the receipt are ignored, and the answer is about the receipt alone", arguments: Engine.servers)
    func bytesBehindTheReceipt(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice()
            _ = try await device.buy("apple", request: "1", as: try await store.addAccount())
            let receipt = try #require(try await device.receiptAnswer().receipt.flatMap { Data(base64Encoded: $0) })
            let first = try await answer(client, receipt.base64EncodedString())

            for more in [Data([0]), Data([0x30, 0x80]), receipt, Data(count: 5000)] {
                let other = try await answer(client, (receipt + more).base64EncodedString())
                #expect(other["status"] as? Int == 0)
                #expect(NSDictionary(dictionary: other) == NSDictionary(dictionary: first))
            }
            #expect(try await status(client, (Data([0]) + receipt).base64EncodedString()) == 21002)
            var longer = receipt
            // The length of the outermost element, in two octets.
            try #require(longer[1] == 0x82)
            longer[3] &+= 1
            #expect(try await status(client, (longer + Data([0])).base64EncodedString()) == 21002)
        }
    }

    @Test("The web order line item 0 is left out, in both formats", arguments: Engine.servers)
    func theWebOrderZeroIsLeftOut(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let date = try Date("2026-01-01T00:00:00Z", strategy: .iso8601)
            for number in [0, 77] as [Int64] {
                let purchase = InAppPurchase(
                    productIdentifier: "apple", transactionIdentifier: "5", purchaseDate: date,
                    webOrderLineItemIdentifier: number)
                let receipt = try TestStore.authority.get().sign(
                    AppReceipt(
                        environment: .sandbox, bundleIdentifier: "com.example.fruit", applicationVersion: "1",
                        opaqueValue: Data([1]), deviceHash: Data(count: 20), creationDate: date,
                        inAppPurchases: [purchase]))
                let body = try #require(
                    try await answer(client, receipt.base64EncodedString())["receipt"] as? [String: Any])
                let bought = try #require((body["in_app"] as? [[String: Any]])?.first)
                #expect(bought["web_order_line_item_id"] as? String == (number == 0 ? nil : "77"))

                let old = try TestStore.authority.get().sign(
                    TransactionReceipt(
                        bundleIdentifier: "com.example.fruit", bundleVersion: "1", productIdentifier: "apple",
                        transactionIdentifier: "5", purchaseDate: date,
                        unknownEntries: ["web-order-line-item-id": String(number)]))
                let flat = try #require(
                    try await answer(client, old.base64EncodedString())["receipt"] as? [String: Any])
                #expect(flat["product_id"] as? String == "apple")
                #expect(flat["web_order_line_item_id"] as? String == (number == 0 ? nil : "77"))
            }
        }
    }

    private func answer(
        _ client: any TestClientProtocol, _ text: String, _ rest: String = ""
    ) async throws -> [String: Any] {
        let response = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(text)\"\(rest)}")
        #expect(response.status == .ok)
        return try response.object()
    }

    private func status(
        _ client: any TestClientProtocol, _ text: String, _ rest: String = ""
    ) async throws -> Int? {
        try await answer(client, text, rest)["status"] as? Int
    }
}
