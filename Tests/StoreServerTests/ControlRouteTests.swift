// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreAPI
import StoreServer
import StoreService
import StoreTestSupport
import Testing

/// `/control/v1/…`, which `storectl approve` and other verbs call.
struct ControlRouteTests {
    private static let headers = HTTPFields.control

    private func withControl(
        _ body: @Sendable @escaping (TestStore, any TestClientProtocol) async throws -> Void
    ) async throws {
        try await Engine.sqliteMemory.withControl(body)
    }

    @Test("A request is listed, approved and refunded over the control routes")
    func aParentApprovesAndASellerRefunds() async throws {
        try await withControl { store, client in
            _ = try await store.addAccount()
            let account = try await client.post(
                "/control/v1/account", #"{"email": "anna@example.com", "asksToBuy": true, "storefront": "DEU"}"#,
                headers: Self.headers)
            #expect(try account.object()["asksToBuy"] as? Bool == true)
            #expect(try account.object()["storefront"] as? String == "DEU")
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)
            let anna = try await store.service.signIn(email: "anna@example.com", password: TestStore.password)
            _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)

            let list = try await client.post("/control/v1/requests", "{}", headers: Self.headers)
            let requests = try #require(try list.object()["requests"] as? [[String: Any]])
            #expect(requests.map { $0["status"] as? String } == ["deferred"])
            let number = try #require(requests.first?["transaction"] as? String)
            let approved = try await client.post(
                "/control/v1/approve", #"{"transaction": "\#(number)"}"#, headers: Self.headers)
            #expect(try approved.object()["status"] as? String == "done")
            let declined = try await client.post(
                "/control/v1/decline", #"{"transaction": "\#(number)"}"#, headers: Self.headers)
            #expect(declined.status == .conflict && declined.code == "decided")
            let part = try await client.post(
                "/control/v1/refund", #"{"transaction": "\#(number)", "amount": "0.30"}"#, headers: Self.headers)
            #expect(try part.object()["status"] as? String == "refunded")
            let identifier = String(repeating: "5e", count: 16)
            for (amount, status) in [("0.10", HTTPResponse.Status.ok), ("0.10", .ok), ("0.20", .badRequest)] {
                let named = try await client.post(
                    "/control/v1/refund",
                    #"{"transaction": "\#(number)", "amount": "\#(amount)", "identifier": "\#(identifier)"}"#,
                    headers: Self.headers)
                #expect(named.status == status)
                if status == .badRequest { #expect(named.code == "request-mismatch") }
            }
            #expect(try await store.ledger() == [990, -100, -300])
            let tooLarge = try await client.post(
                "/control/v1/refund", #"{"transaction": "\#(number)", "amount": "0.70"}"#, headers: Self.headers)
            #expect(tooLarge.status == .conflict && tooLarge.code == "refund-too-large")
            let refunded = try await client.post(
                "/control/v1/refund", #"{"transaction": "\#(number)"}"#, headers: Self.headers)
            #expect(try refunded.object()["status"] as? String == "refunded")
            let unknown = try await client.post(
                "/control/v1/refund", #"{"transaction": "2"}"#, headers: Self.headers)
            #expect(unknown.status == .notFound)
        }
    }

    @Test("The sandbox's payments are set, listed and answered over the control routes")
    func payments() async throws {
        try await withControl { store, client in
            _ = try await store.addAccount()
            let set = try await client.post(
                "/control/v1/set-payment-answer",
                #"{"account": "anna@example.com", "answer": "pending", "hasAction": true, "lifetime": 60}"#,
                headers: Self.headers)
            #expect(set.status == .ok)
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)
            let anna = try await store.service.signIn(email: "anna@example.com", password: TestStore.password)
            _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)

            let list = try await client.post("/control/v1/payments", "{}", headers: Self.headers)
            let payment = try #require((try list.object()["payments"] as? [[String: Any]])?.first)
            let number = try #require(payment["payment"] as? String)
            #expect(payment["email"] as? String == "anna@example.com")
            #expect(payment["product"] as? String == "apple")
            #expect(payment["amount"] as? String == "0.99")
            #expect(payment["action"] as? String == "https://store.example/sandbox/payments/\(number)")
            let answered = try await client.post(
                "/control/v1/answer-payment", #"{"payment": "\#(number)", "isConfirmed": true}"#,
                headers: Self.headers)
            #expect(answered.status == .ok)

            #expect(try await phone.ask("apple", request: "r1").status == .purchased)
            for (verb, body) in [
                ("set-payment-answer", #"{"answer": "perhaps"}"#),
                ("set-payment-answer", #"{"answer": "pending", "delay": 9000000000000000}"#),
            ] {
                let refused = try await client.post("/control/v1/\(verb)", body, headers: Self.headers)
                #expect(refused.code == "invalid", "\(body)")
            }
            let unknown = try await client.post(
                "/control/v1/answer-payment", #"{"payment": "1", "isConfirmed": true}"#, headers: Self.headers)
            #expect(unknown.status == .notFound)
        }
    }

    @Test("The control routes refuse a wrong token, another site and GET")
    func onlyWhoHasTheTokenGetsIn() async throws {
        try await withControl { _, client in
            for headers: HTTPFields in [[:], [.authorization: "Bearer wrong!"], [.authorization: "secret"]] {
                let response = try await client.post("/control/v1/requests", "{}", headers: headers)
                #expect(response.status == .unauthorized)
                #expect(response.code == "credentials-missing")
            }
            var foreign = Self.headers
            foreign[try #require(HTTPField.Name("Sec-Fetch-Site"))] = "cross-site"
            #expect(try await client.post("/control/v1/requests", "{}", headers: foreign).status == .forbidden)
            #expect(try await client.get("/control/v1/requests", headers: Self.headers).status == .methodNotAllowed)
        }
    }

    @Test("A malformed control body is 400, and an unknown account is 404")
    func badBodiesAreAnsweredWithTheirPlace() async throws {
        try await withControl { _, client in
            for (verb, body) in [
                ("approve", "{}"), ("refund", "[]"), ("account", "x"), ("product", #"{"bundle": 1}"#), ("requests", ""),
                ("product-price", #"{"bundle": "com.example.fruit", "product": "apple", "price": 0.99}"#),
            ] {
                let response = try await client.post("/control/v1/\(verb)", body, headers: Self.headers)
                #expect(response.status == .badRequest && response.code == "malformed", "\(verb)")
            }
            let country = try await client.post(
                "/control/v1/account", #"{"email": "nobody@example.com", "storefront": "XX"}"#, headers: Self.headers)
            #expect(country.status == .badRequest)
            let nobody = try await client.post(
                "/control/v1/account", #"{"email": "nobody@example.com"}"#, headers: Self.headers)
            #expect(nobody.status == .notFound)
        }
    }

    @Test("A product's price is set and removed over the control routes, and a wrong one is 400")
    func pricesAreSet() async throws {
        try await withControl { _, client in
            func set(_ values: String) async throws -> TestResponse {
                try await client.post(
                    "/control/v1/product-price", #"{"bundle": "com.example.fruit", "product": "apple"\#(values)}"#,
                    headers: Self.headers)
            }
            let inGermany = try await set(#", "storefront": "DEU", "price": "1.29""#).object()
            #expect(inGermany["price"] as? String == "1.29" && inGermany["currency"] as? String == "EUR")
            let base = try await set(#", "price": "2""#).object()
            #expect(base["price"] as? String == "2.00" && base["currency"] == nil && base["storefront"] == nil)
            let removed = try await set(#", "storefront": "DEU""#).object()
            #expect(removed["price"] as? String == "2.00" && removed["currency"] as? String == "EUR")
            for values in [#", "price": "-1""#, #", "price": "1", "storefront": "XX""#, ""] {
                #expect(try await set(values).status == .badRequest, "\(values)")
            }
            let unknown = try await client.post(
                "/control/v1/product-price", #"{"bundle": "com.example.fruit", "product": "plum", "price": "1"}"#,
                headers: Self.headers)
            #expect(unknown.status == .notFound)
        }
    }

    @Test("A catalogue is compared, imported and exported over the control routes, and a wrong file is 400")
    func catalogues() async throws {
        try await withControl { store, client in
            let file = TestStore.catalogue.replacing("\"0.99\"", with: "\"1.29\"")
            func send(_ contents: String, isTrial: Bool, to bundle: String = TestStore.bundleIdentifier) async throws
                -> TestResponse
            {
                let encoded = Data(contents.utf8).base64EncodedString()
                return try await client.post(
                    "/control/v1/import-catalogue",
                    #"{"bundle": "\#(bundle)", "name": "f", "contents": "\#(encoded)", "overwritesEdits": false, "#
                        + #""isTrial": \#(isTrial)}"#, headers: Self.headers)
            }
            func export() async throws -> String {
                let answer = try await client.post(
                    "/control/v1/export-catalogue", #"{"bundle": "com.example.fruit"}"#, headers: Self.headers)
                let contents = try #require(try answer.object()["contents"] as? String)
                return String(decoding: try #require(Data(base64Encoded: contents)), as: UTF8.self)
            }

            for isTrial in [true, false] {
                let answer = try await send(file, isTrial: isTrial).object()
                let changes = try #require(answer["changes"] as? [[String: String]])
                #expect(changes == [["subject": "apple", "change": "changed: price from 0.99 to 1.29"]])
                #expect((answer["leftAlone"] as? [Any])?.isEmpty == true)
                #expect(try await export() == (isTrial ? TestStore.catalogue : file))
            }
            for (contents, bundle) in [
                ("[]", "com.example.fruit"), ("{}", ""), ("{}", String(repeating: "x", count: 256)),
            ] {
                let refused = try await send(contents, isTrial: false, to: bundle)
                #expect(refused.status == .badRequest && refused.code == "invalid", "\(refused.text)")
            }
            let unknown = try await client.post(
                "/control/v1/export-catalogue", #"{"bundle": "com.example.unknown"}"#, headers: Self.headers)
            #expect(unknown.status == .notFound)
            #expect(try await store.count("app") == 1)
        }
    }

    @Test("The control routes are 404 without a configured token")
    func withoutAccessThereIsNoRemoteControl() async throws {
        try await Engine.sqliteMemory.withHTTP { _, client in
            let response = try await client.post("/control/v1/requests", "{}", headers: Self.headers)
            #expect(response.status == .notFound)
        }
    }
}
