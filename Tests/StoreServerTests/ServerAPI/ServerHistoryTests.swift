// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreServer
import StoreService
import StoreTestSupport
import Testing

/// Transactions and histories of the App Store Server API, as a seller's
/// server reads them.
@Suite(.timeLimit(.hang))
struct ServerHistoryTests {
    @Test("A transaction's information has Apple's fields", arguments: Engine.servers)
    func transactionInfo(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let bought = try await phone.buy("apple", request: "r", as: anna)
            let seller = try await ServerSeller(store, client)

            let object = try await seller.answer("v1/transactions/\(bought.transactionIdentifier)")

            #expect(Set(object.keys) == ["signedTransactionInfo"])
            let payload: TransactionPayload = try seller.verified(
                try #require(object["signedTransactionInfo"] as? String))
            #expect(payload.transactionId == bought.transactionIdentifier && payload.productId == "apple")
            #expect(payload.originalTransactionId == bought.transactionIdentifier && payload.quantity == 1)
            #expect(payload.inAppOwnershipType == "PURCHASED" && payload.transactionReason == "PURCHASE")
            #expect(payload.storefront == "USA" && payload.storefrontId == "143441" && payload.currency == "USD")
            #expect(payload.environment == .sandbox && payload.revocationDate == nil && payload.expiresDate == nil)
        }
    }

    @Test("Unknown, foreign and malformed transactions get Apple's numbers", arguments: Engine.servers)
    func refusals(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let known = try await phone.buy("apple", request: "r", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)
            for path in ["v1/transactions", "v1/history", "v2/history", "v2/refund/lookup", "v1/subscriptions"] {
                #expect(try await seller.refusal("\(path)/2000000000000000001") == "404 4040010", "\(path)")
                #expect(try await seller.refusal("\(path)/x") == "400 4000006", "\(path)")
                let other = try await seller.refusal("\(path)/\(known)", claims: ["bid": "\"com.example.other\""])
                // Apple lists AppNotFoundError for the histories of purchases and the statuses alone.
                let isListed = ["v1/history", "v2/history", "v1/subscriptions"].contains(path)
                #expect(other == (isListed ? "404 4040003" : "404 4040010"), "\(path)")
            }
            for (query, code) in [
                ("revision=x", 4_000_005), ("revision=1_1_1", 4_000_005), ("startDate=x", 4_000_015),
                ("endDate=1.5", 4_000_016), ("startDate=2&endDate=2", 4_000_013), ("sort=UP", 4_000_021),
                ("productType=CAR", 4_000_022), ("productId=", 4_000_023), ("subscriptionGroupIdentifier=", 4_000_024),
                ("excludeRevoked=1", 4_000_025), ("inAppOwnershipType=ME", 4_000_026), ("revoked=no", 4_000_030),
            ] {
                #expect(try await seller.refusal("v2/history/\(known)?\(query)") == "400 \(code)", "\(query)")
            }
            for status in ["0", "6", "x"] {
                let refused = try await seller.refusal("v1/subscriptions/\(known)?status=\(status)")
                #expect(refused == "400 4000031", "\(status)")
            }
        }
    }

    @Test("A history is read in pages, and a revision gives only the changes since", arguments: Engine.servers)
    func revisions(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            var bought: [String] = []
            for number in 0..<45 {
                bought.append(
                    try await phone.buy("juice", request: "r\(number)", as: anna).transactionIdentifier)
            }
            let seller = try await ServerSeller(store, client)
            let path = "v2/history/\(bought[7])"

            var read: [String?] = []
            var sizes: [Int] = []
            var page = try await seller.answer(path)
            while true {
                let transactions = try seller.transactions(page)
                sizes.append(transactions.count)
                read += transactions.map(\.transactionId)
                guard page["hasMore"] as? Bool == true else { break }
                page = try await seller.answer("\(path)?revision=\(try #require(page["revision"] as? String))")
            }
            #expect(sizes == [20, 20, 5] && read == bought)
            let revision = try #require(page["revision"] as? String)
            let unchanged = try await seller.answer("\(path)?revision=\(revision)")
            #expect(try seller.transactions(unchanged).isEmpty && unchanged["revision"] as? String == revision)

            _ = try await RefundingPurchase(store.context)(TransactionIdentifier(bought[3]))
            let changed = try seller.transactions(try await seller.answer("\(path)?revision=\(revision)"))
            #expect(changed.map(\.transactionId) == [bought[3]])
            #expect(changed.first?.revocationDate != nil && changed.first?.revocationType == "REFUND_FULL")
            let newest = try seller.transactions(try await seller.answer("\(path)?sort=DESCENDING"))
            #expect(newest.map(\.transactionId).prefix(2) == [bought[3], bought[44]])
            let refunds = try await seller.answer("v2/refund/lookup/\(bought[0])")
            #expect(try seller.transactions(refunds).map(\.transactionId) == [bought[3]])
            #expect(refunds["hasMore"] as? Bool == false)
        }
    }

    @Test("A history has the purchases that its filters name", arguments: Engine.servers)
    func filters(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "apple", as: anna).transactionIdentifier
            store.clock.advance(by: .seconds(60))
            let middle = store.clock.now.milliseconds
            let juice = try await phone.buy("juice", request: "juice", as: anna).transactionIdentifier
            _ = try await RefundingPurchase(store.context)(TransactionIdentifier(juice))
            let seller = try await ServerSeller(store, client)
            for (query, expected) in [
                ("productId=apple", [apple]), ("productId=apple&productId=juice", [apple, juice]),
                ("productId=pear", []), ("startDate=\(middle)", [juice]), ("endDate=\(middle)", [apple]),
                ("revoked=true", [juice]), ("revoked=false", [apple]), ("excludeRevoked=true", [apple]),
                ("productType=AUTO_RENEWABLE", []), ("productType=CONSUMABLE", [juice]),
                ("inAppOwnershipType=FAMILY_SHARED", []),
                ("inAppOwnershipType=PURCHASED", [apple, juice]), ("subscriptionGroupIdentifier=1", []),
                ("other=1", [apple, juice]),
            ] {
                for version in ["v1", "v2"] {
                    let page = try await seller.answer("\(version)/history/\(apple)?\(query)")
                    #expect(try seller.transactions(page).map(\.transactionId) == expected, "\(version) \(query)")
                }
            }
        }
    }

    @Test("Too many requests of an app get 429, and the moment of the next one", arguments: [Engine.sqliteMemory])
    func rateLimit(engine: Engine) async throws {
        try await engine.withStore { store in
            var configuration = ServerConfiguration(host: "localhost", port: 0)
            configuration.limits.serverRequestsPerSecond = 1
            try await store.withHTTP(configuration) { client in
                let seller = try await ServerSeller(store, client)
                for _ in 0..<2 { #expect(try await seller.refusal("v1/transactions/1") == "404 4040010") }
                let response = try await seller.ask("v1/transactions/1")
                #expect(response.status == .tooManyRequests)
                #expect(try response.object()["errorCode"] as? Int == 4_290_000)
                #expect(response.headers[.retryAfter] == String(store.clock.now.milliseconds + 1000))
            }
        }
    }
}
