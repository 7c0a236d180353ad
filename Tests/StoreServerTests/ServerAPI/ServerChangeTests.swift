// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Finished transactions and account tokens of the App Store Server API.
@Suite(.timeLimit(.hang))
struct ServerChangeTests {
    private static let token = "6FBF1F1C-7B43-4B2A-9C0A-4D2A4E1E7E55"

    @Test("A seller's server finishes a transaction on all devices, and repeats it", arguments: Engine.servers)
    func finishing(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let tablet = try await store.addDevice(2)
            try await tablet.finish(try await tablet.buy("juice", request: "t", as: anna).transactionIdentifier)
            let apple = try await phone.buy("apple", request: "a", as: anna).transactionIdentifier
            let juice = try await phone.buy("juice", request: "j", as: anna).transactionIdentifier
            #expect(try await phone.queue().count == 2)
            let seller = try await ServerSeller(store, client)

            for bought in [apple, juice] {
                let path = "v1/transactions/\(bought)/finish"
                for _ in 0..<2 { #expect(try await seller.done(path, .post) == 200) }
                let foreign = try await seller.refusal(path, .post, claims: ["bid": "\"com.example.other\""])
                #expect(foreign == "404 4040010")
            }
            #expect(try await phone.queue().isEmpty)
            #expect(try await tablet.queue().isEmpty)
            let page = try await seller.answer("v1/history/\(apple)")
            #expect(try seller.transactions(page).map(\.transactionId) == [apple])
            #expect(try await seller.refusal("v1/transactions/2000000000000000001/finish", .post) == "404 4040010")
            #expect(try await seller.refusal("v1/transactions/x/finish", .post) == "400 4000006")
            // The device finishes it, too.
            try await phone.finish(apple)
        }
    }

    @Test("A seller's server sets the account token, and its purchases have it", arguments: Engine.servers)
    func accountToken(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellServedBaskets()
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let first = try await phone.buy("basket", request: "r", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)
            let path = "v1/transactions/\(first)/appAccountToken"
            #expect(try await seller.transaction(first).appAccountToken == nil)

            #expect(try await seller.done(path, .put, #"{"appAccountToken": "\#(Self.token)"}"#) == 200)

            #expect(try await seller.transaction(first).appAccountToken == Self.token.lowercased())
            try await store.later("1mo1d", anna)
            let page = try await seller.answer("v2/history/\(first)")
            let tokens = try seller.transactions(page).map(\.appAccountToken)
            #expect(tokens == [Self.token.lowercased(), Self.token.lowercased()])
            let statuses = try await seller.answer("v1/subscriptions/\(first)")
            let group = try #require((statuses["data"] as? [[String: Any]])?.first)
            let last = try #require((group["lastTransactions"] as? [[String: Any]])?.first)
            let renewal: RenewalInfoPayload = try seller.verified(
                try #require(last["signedRenewalInfo"] as? String))
            #expect(renewal.appAccountToken == Self.token.lowercased())

            let second = try #require(try seller.transactions(page).last?.transactionId)
            let other = #"{"appAccountToken": "00000000-0000-0000-0000-000000000000"}"#
            let renewed = "v1/transactions/\(second)/appAccountToken"
            #expect(try await seller.refusal(renewed, .put, other) == "400 4000187")
            #expect(try await seller.done(path, .put, other) == 200)
            #expect(try await seller.transaction(first).appAccountToken == Self.token.lowercased())
            #expect(
                try await seller.transaction(second).appAccountToken == "00000000-0000-0000-0000-000000000000")
            try await store.later("1mo", anna)
            let latest = try seller.transactions(try await seller.answer("v2/history/\(first)"))
            #expect(
                latest.map(\.appAccountToken) == [
                    Self.token.lowercased(), "00000000-0000-0000-0000-000000000000",
                    "00000000-0000-0000-0000-000000000000",
                ])
        }
    }

    @Test("Wrong tokens and bodies are refused, and change nothing", arguments: Engine.servers)
    func refusedTokens(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "r", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)
            let path = "v1/transactions/\(apple)/appAccountToken"
            for body in [
                "{}", #"{"appAccountToken": ""}"#, #"{"appAccountToken": "x"}"#, #"{"appAccountToken": 7}"#,
                #"{"appAccountToken": null}"#, #"{"appAccountToken": "\#(Self.token)0"}"#,
                #"{"appAccountToken": "\u0000"}"#,
            ] {
                #expect(try await seller.refusal(path, .put, body) == "400 4000183", "\(body)")
            }
            let deep = String(repeating: "[", count: 5000)
            let long = String(repeating: " ", count: 17 << 10)
            for body in ["", "x", "[]", "7", #"{"a": 1, "a": 2}"#, deep, long] {
                #expect(try await seller.refusal(path, .put, body) == "400 4000000", "\(body.prefix(20))")
            }
            let valid = #"{"appAccountToken": "\#(Self.token)"}"#
            let unknown = "v1/transactions/2000000000000000001/appAccountToken"
            #expect(try await seller.refusal(unknown, .put, valid) == "404 4040005")
            #expect(try await seller.refusal("v1/transactions/x/appAccountToken", .put, valid) == "400 4000006")
            let foreign = try await seller.refusal(path, .put, valid, claims: ["bid": "\"com.example.other\""])
            #expect(foreign == "404 4040005")
            #expect(try await seller.transaction(apple).appAccountToken == nil)
            #expect(try await store.count("account_token") == 0)
        }
    }

    @Test("The user name of a payment is the account token if it is a UUID", arguments: Engine.servers)
    func userNames(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let seller = try await ServerSeller(store, client)
            for (name, expected) in [(Self.token, Self.token.lowercased()), ("anna", nil), (nil, nil)] {
                let call = PaymentCall(
                    requestIdentifier: "r\(name ?? "")", bundleIdentifier: TestStore.bundleIdentifier,
                    productIdentifier: "juice", quantity: 1, applicationUsername: name)
                let sheet = try phone.token(try await phone.call(call).sheet)
                _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
                let bought = try #require(try await phone.call(call).transaction?.transactionIdentifier)
                #expect(try await seller.transaction(bought).appAccountToken == expected)
            }
        }
    }
}
