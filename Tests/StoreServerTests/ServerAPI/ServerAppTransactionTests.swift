// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import HTTPTypes
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The numbers of app transactions, in payloads and in requests.
struct ServerAppTransactionTests {
    private func info(of number: String, _ seller: ServerSeller) async throws -> AppTransactionPayload {
        let answer = try await seller.answer("v1/transactions/appTransactions/\(number)")
        return try seller.verified(try #require(answer["signedAppTransactionInfo"] as? String))
    }

    @Test("A customer's transactions and renewals have the number of the app transaction", arguments: Engine.servers)
    func payloads(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            let apple = try await phone.buy("apple", request: "1", as: anna).transactionIdentifier
            try await store.sellServedBaskets()
            let small = try await phone.buy("basket", request: "2", as: anna).transactionIdentifier
            let (berta, tablet) = (try await store.addAccount("berta@example.com"), try await store.addDevice(2))
            let other = try await tablet.buy("basket", request: "3", as: berta).transactionIdentifier
            let seller = try await ServerSeller(store, client)

            let number = try #require(try await seller.transaction(small).appTransactionId)
            #expect(number.count == 19 && number.hasPrefix("3") && UInt64(number) != nil)
            #expect(TransactionIdentifier(number).bucket == anna.identifier.bucket)
            #expect(try await seller.transaction(apple).appTransactionId == number)
            #expect(try await seller.transaction(other).appTransactionId != number)
            let statuses = try await seller.answer("v1/subscriptions/\(small)")
            let groups = try #require(statuses["data"] as? [[String: Any]])
            let last = try #require(groups.first?["lastTransactions"] as? [[String: Any]]).first
            let renewal: RenewalInfoPayload = try seller.verified(try #require(last?["signedRenewalInfo"] as? String))
            #expect(renewal.appTransactionId == number)
            let payload = try await info(of: apple, seller)
            #expect(payload.appTransactionId == number && payload.originalPlatform == "iOS")
            #expect(try await store.count("app_transaction") == 2)
        }
    }

    @Test(
        "The number names the customer where Apple takes any number, and is refused elsewhere",
        arguments: Engine.servers
    )
    func requests(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            let bought = try await phone.buy("apple", request: "1", as: anna).transactionIdentifier
            let apple = TransactionIdentifier(bought)
            try await store.sellServedBaskets()
            let small = try await phone.buy("basket", request: "2", as: anna).transactionIdentifier
            try await store.service.refund(apple)
            let seller = try await ServerSeller(store, client)
            let number = try #require(try await seller.transaction(small).appTransactionId)

            for version in ["v1", "v2"] {
                let page = try await seller.answer("\(version)/history/\(number)")
                #expect(try seller.transactions(page).map(\.transactionId) == [small, apple.rawValue])
            }
            let refunds = try await seller.answer("v2/refund/lookup/\(number)")
            #expect(try seller.transactions(refunds).map(\.transactionId) == [apple.rawValue])
            #expect(try await (seller.answer("v1/subscriptions/\(number)")["data"] as? [[String: Any]])?.count == 1)
            #expect(try await info(of: number, seller) == info(of: small, seller))

            let unsupported = "400 4000048"
            #expect(try await seller.refusal("v1/transactions/\(number)") == unsupported)
            #expect(try await seller.refusal("v1/refund/lookup/\(number)") == "404 4040005")
            let order = try await seller.answer("v1/lookup/\(number)")
            #expect(order["status"] as? Int == 1 && order["signedTransactions"] == nil)
            #expect(try await seller.refusal("v1/transactions/\(number)/finish", .post) == unsupported)
            #expect(
                try await seller.refusal("v2/history/3001000000000000001") == "404 4040010", "an unknown number")
            let elsewhere = ["bid": "\"com.example.other\""]
            // An app that the store doesn't have is named by these pages alone.
            for path in ["v1/history", "v2/history", "v1/subscriptions"] {
                #expect(try await seller.refusal("\(path)/\(number)", claims: elsewhere) == "404 4040003", "\(path)")
            }
            #expect(try await seller.refusal("v1/transactions/\(small)", claims: elsewhere) == "404 4040010")
            #expect(try await seller.refusal("v1/notifications/test", .post, claims: elsewhere) == "404 4040007")

            try await ClosingAccount(store.context)(email: anna.email)
            #expect(try await seller.refusal("v2/history/\(number)") == "404 4040001")
            #expect(try await seller.refusal("v1/subscriptions/\(number)") == "404 4040001")
            #expect(try await seller.refusal("v1/transactions/appTransactions/\(number)") == "404 4040010")
            #expect(try await seller.refusal("v2/refund/lookup/\(number)") == "404 4040010")
            #expect(try await seller.refusal("v1/refund/lookup/\(small)") == "404 4040005")
        }
    }

    @Test("A customer without a purchase has the number from the first use, on all devices", arguments: Engine.servers)
    func use(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phones = try await [store.addDevice(1), store.addDevice(2)]
            for phone in phones {
                try await phone.buy("juice", request: "juice", as: anna)
                let use = DeviceApp(
                    account: anna.identifier, bundleIdentifier: "com.example.fresh",
                    device: DeviceIdentifier(phone.credentials.identifier))
                for _ in 0..<2 { try await RecordingDeviceUse(store.context)(use) }
            }
            let fresh = try await store.context.read { db in
                try AppTransaction.find("com.example.fresh", of: anna.identifier, db)
            }
            let number = try #require(fresh).identifier.rawValue
            let seller = try await ServerSeller(store, client)
            func get(_ path: String) async throws -> [String: Any] {
                try await seller.ask(path, claims: ["bid": "\"com.example.fresh\""]).object()
            }
            #expect(try await (get("v2/history/\(number)")["signedTransactions"] as? [String])?.isEmpty == true)
            #expect(try await get("v1/transactions/appTransactions/\(number)")["signedAppTransactionInfo"] is String)
            // One of each app.
            #expect(try await store.count("app_transaction", where: "account_id = '\(anna.identifier)'") == 2)
        }
    }
}
