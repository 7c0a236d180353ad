// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

// StoreTestSupport has another Refusal.
import class StoreTestSupport.StubServer

@testable import FlowerGardenServer

/// The answers of `/verifyReceipt` that a real store seldom gives, and the
/// switch between the two ways to check receipts.
struct ReceiptsAtStoreTests {
    private func refusal(_ answer: Data) async throws -> Refusal? {
        let store = try StubServer { _ in answer }
        defer { store.close() }
        let receipts = ReceiptsAtStore(address: store.address, bundleIdentifier: "a")
        do {
            _ = try await receipts.check(Data([1]))
            return nil
        } catch { return error as? Refusal }
    }

    private func json(_ text: String) -> Data { StubServer.answer("200 OK", [:], Data(text.utf8)) }

    @Test("A receipt that the store refuses is invalid, and a store that can't decide is unavailable")
    func statuses() async throws {
        for status in [21002, 21003, 21007, 21008, 21010] {
            let found = try await refusal(json("{\"status\":\(status)}"))
            #expect(found == .invalidReceipt, "\(status)")
        }
        for status in [21000, 21004, 21005, 21009, 21199] {
            let found = try await refusal(json("{\"status\":\(status)}"))
            #expect(found == .busy, "\(status)")
        }
        for answer in [json("no JSON"), json("[]"), StubServer.answer("503 Service Unavailable"), Data()] {
            let found = try await refusal(answer)
            #expect(found == .busy)
        }
    }

    @Test("A valid receipt of another app is refused, and a quantity and the dates are read")
    func contents() async throws {
        let other = try await refusal(json("{\"status\":0,\"receipt\":{\"bundle_id\":\"b\",\"in_app\":[]}}"))
        #expect(other == .invalidReceipt)
        let purchase = """
            {"product_id":"p","transaction_id":"2","original_transaction_id":"1","quantity":"3",\
            "expires_date_ms":"2000","cancellation_date_ms":"1000"}
            """
        let answer = json("{\"status\":0,\"receipt\":{\"bundle_id\":\"a\",\"in_app\":[\(purchase)]}}")
        let store = try StubServer { _ in answer }
        defer { store.close() }
        let checked = try await ReceiptsAtStore(address: store.address, bundleIdentifier: "a").check(Data([1]))
        #expect(
            checked == [
                .init(
                    product: "p", transaction: "2", original: "1", quantity: 3,
                    expires: Date(timeIntervalSince1970: 2), refunded: Date(timeIntervalSince1970: 1))
            ])
    }

    @Test("The environment chooses one way to check receipts, and not both")
    func choice() throws {
        let verify = "http://127.0.0.1:8080/verifyReceipt"
        #expect(try FlowerGardenServer.receipts(["FLOWERGARDEN_VERIFY": verify]) is ReceiptsAtStore)
        for environment in [
            [:], ["FLOWERGARDEN_VERIFY": "not a URL"],
            ["FLOWERGARDEN_VERIFY": verify, "FLOWERGARDEN_ROOT": "root.pem"],
        ] {
            #expect(throws: Failure.self) { try FlowerGardenServer.receipts(environment) }
        }
    }
}
