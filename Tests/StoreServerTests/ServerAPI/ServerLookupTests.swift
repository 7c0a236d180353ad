// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

/// Orders, refunds without pages and app transactions of the App Store Server
/// API.
@Suite(.timeLimit(.hang))
struct ServerLookupTests {
    @Test("The number on a customer's receipt finds the order, and other numbers find none", arguments: Engine.servers)
    func orders(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "r", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)

            let found = try await seller.answer("v1/lookup/\(apple)")
            #expect(found["status"] as? Int == 0)
            #expect(try seller.transactions(found).map(\.transactionId) == [apple])
            for other in ["2000000000000000001", "MUjPzQ", "%00", String(repeating: "9", count: 300)] {
                let none = try await seller.answer("v1/lookup/\(other)")
                #expect(none["status"] as? Int == 1 && none["signedTransactions"] == nil)
            }
            let foreign = try await seller.ask("v1/lookup/\(apple)", claims: ["bid": "\"com.example.other\""])
            #expect(try foreign.object()["status"] as? Int == 1)
            try await ClosingAccount(store.context)(email: anna.email)
            #expect(try await seller.answer("v1/lookup/\(apple)")["status"] as? Int == 1)
            #expect(try await seller.refusal("v1/transactions/\(apple)") == "404 4040010")
        }
    }

    @Test("The old refund look-up has all refunds in one answer, newest first", arguments: Engine.servers)
    func oldRefunds(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            var refunded: [String] = []
            for number in 0..<25 {
                refunded.append(
                    try await phone.buy("juice", request: "r\(number)", as: anna).transactionIdentifier)
                _ = try await RefundingPurchase(store.context)(TransactionIdentifier(refunded[number]))
            }
            let kept = try await phone.buy("apple", request: "kept", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)

            let answer = try await seller.answer("v1/refund/lookup/\(kept)")
            #expect(Set(answer.keys) == ["signedTransactions"])
            #expect(try seller.transactions(answer).map(\.transactionId) == refunded.reversed())
            #expect(try await seller.refusal("v1/refund/lookup/x") == "400 4000008")
            #expect(try await seller.refusal("v1/refund/lookup/2000000000000000001") == "404 4040005")

            // The pages of the new one have each of them once.
            var (paged, query): ([String?], String) = ([], "")
            while true {
                let page = try await seller.answer("v2/refund/lookup/\(kept)\(query)")
                paged += try seller.transactions(page).map(\.transactionId)
                guard page["hasMore"] as? Bool == true else { break }
                query = "?revision=\(try #require(page["revision"] as? String))"
            }
            #expect(paged == refunded)
        }
    }

    @Test("A refund that is made between two pages is on the next one", arguments: Engine.servers)
    func refundsBetweenPages(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            var bought: [String] = []
            for number in 0..<23 {
                bought.append(
                    try await phone.buy("juice", request: "r\(number)", as: anna).transactionIdentifier)
            }
            for number in 1...21 {
                _ = try await RefundingPurchase(store.context)(TransactionIdentifier(bought[number]))
            }
            let seller = try await ServerSeller(store, client)
            let path = "v2/refund/lookup/\(bought[5])"

            let first = try await seller.answer(path)
            #expect(try seller.transactions(first).map(\.transactionId) == Array(bought[1...20]))
            _ = try await RefundingPurchase(store.context)(TransactionIdentifier(bought[0]))
            let revision = try #require(first["revision"] as? String)
            let second = try await seller.answer("\(path)?revision=\(revision)")
            #expect(try seller.transactions(second).map(\.transactionId) == [bought[21], bought[0]])
            #expect(second["hasMore"] as? Bool == false)
        }
    }

    @Test(
        "The reason of a revocation is 1 when the customer named a problem of the app",
        arguments: [
            (RefundRequest.Reason.broken, Int64(1)), (.missing, 1), (.unintended, 0), (.child, 0), (.other, 0),
        ])
    func reasons(reason: RefundRequest.Reason, number: Int64) async throws {
        for engine in Engine.servers {
            try await engine.withHTTP { store, client in
                let anna = try await store.addAccount()
                let phone = try await store.addDevice()
                let bought = try await phone.buy("juice", request: "r", as: anna).transactionIdentifier
                let unasked = try await phone.buy("apple", request: "a", as: anna).transactionIdentifier
                let seller = try await ServerSeller(store, client)
                #expect(try await seller.transaction(bought).revocationReason == nil)

                let asked = try await AskingForRefund(store.context)(
                    TransactionIdentifier(bought), of: anna.identifier, because: reason, comment: nil)
                _ = try await DecidingRefund(store.context).approve(asked.identifier)
                _ = try await RefundingPurchase(store.context)(TransactionIdentifier(unasked))

                let payload = try await seller.transaction(bought)
                #expect(payload.revocationReason == number && payload.revocationDate != nil)
                #expect(try await seller.transaction(unasked).revocationReason == 0)
            }
        }
    }

    @Test("An app transaction tells since when a customer has the app", arguments: Engine.servers)
    func appTransactions(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "r", as: anna)
            let seller = try await ServerSeller(store, client)

            let path = "v1/transactions/appTransactions"
            let answer = try await seller.answer("\(path)/\(apple.transactionIdentifier)")
            #expect(Set(answer.keys) == ["signedAppTransactionInfo"])
            let signed = try #require(answer["signedAppTransactionInfo"] as? String)
            let payload: AppTransactionPayload = try seller.verified(signed)
            let purchase = try await seller.transaction(apple.transactionIdentifier)
            let (downloaded, bought) = try (
                #require(payload.originalPurchaseDate), #require(purchase.purchaseDate)
            )
            #expect(downloaded <= bought && payload.receiptCreationDate == store.clock.now.date)
            #expect(payload.bundleId == TestStore.bundleIdentifier && payload.receiptType == .sandbox)
            #expect(try await seller.refusal("\(path)/2000000000000000001") == "404 4040010")
            #expect(try await seller.refusal("\(path)/x") == "400 4000006")
        }
    }
}
