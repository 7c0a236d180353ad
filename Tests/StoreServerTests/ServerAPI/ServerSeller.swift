// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A client of the App Store Server API with a seller's key.
struct ServerSeller {
    var store: TestStore
    var client: any TestClientProtocol
    var seller: TestSeller

    init(_ store: TestStore, _ client: any TestClientProtocol) async throws {
        self.store = store
        self.client = client
        seller = try await TestSeller(store.context)
    }

    func ask(
        _ path: String, _ method: HTTPRequest.Method = .get, _ body: String = "", claims: [String: String] = [:]
    ) async throws -> TestResponse {
        let value = try seller.authorization(at: store.clock.now, claims: claims)
        return try await client.executeRequest(
            uri: "/inApps/\(path)", method: method, headers: [.authorization: value],
            body: ByteBuffer(string: body))
    }

    func answer(
        _ path: String, _ method: HTTPRequest.Method = .get, _ body: String = ""
    ) async throws -> [String: Any] {
        let response = try await ask(path, method, body)
        #expect(response.status == .ok, "\(path): \(response.text)")
        return try response.object()
    }

    /// The status of an answer without a body.
    func done(_ path: String, _ method: HTTPRequest.Method, _ body: String = "") async throws -> Int {
        let response = try await ask(path, method, body)
        #expect(response.text.isEmpty, "\(path): \(response.text)")
        return response.status.code
    }

    /// The status and the number of a refusal.
    func refusal(
        _ path: String, _ method: HTTPRequest.Method = .get, _ body: String = "", claims: [String: String] = [:]
    ) async throws -> String {
        let response = try await ask(path, method, body, claims: claims)
        let number = response.text.isEmpty ? nil : try response.object()["errorCode"] as? Int
        return "\(response.status.code) \(number ?? 0)"
    }

    /// The verified transactions of a page.
    func transactions(_ page: [String: Any]) throws -> [TransactionPayload] {
        try #require(page["signedTransactions"] as? [String]).map(verified)
    }

    /// The verified transaction of a number.
    func transaction(_ identifier: String) async throws -> TransactionPayload {
        let info = try await answer("v1/transactions/\(identifier)")
        return try verified(try #require(info["signedTransactionInfo"] as? String))
    }

    func verified<Payload: SignedPayload>(_ text: String) throws -> Payload {
        let jws = try UnverifiedJWS<Payload>(parsing: text)
        let verdict = store.service.authority.jwsVerifier.verify(
            jws,
            expecting: .init(
                bundleIdentifier: Payload.statesBundleIdentifier ? TestStore.bundleIdentifier : nil,
                environment: .sandbox))
        guard case .verified(let verified) = verdict else {
            Issue.record("refused: \(verdict)")
            return jws.payload
        }
        return verified.payload
    }
}

extension TestStore {
    /// Sells a monthly basket for 4.99, and a free one, which families share or
    /// not.
    func sellServedBaskets(toFamilies isShared: Bool = false) async throws {
        func basket(_ name: String, _ price: String, _ level: Int) -> String {
            """
            { "productID" : "\(name)", "referenceName" : "Basket", "displayPrice" : "\(price)",
              "internalID" : "\(name)", "familyShareable" : \(isShared), "type" : "RecurringSubscription",
              "recurringSubscriptionPeriod" : "P1M", "groupNumber" : \(level), "subscriptionGroupID" : "G\(name)",
              "localizations" : [] }
            """
        }
        func group(_ name: String, _ price: String) -> String {
            """
            { "id" : "G\(name)", "name" : "\(name)", "localizations" : [],
              "subscriptions" : [ \(basket(name, price, 1)) ] }
            """
        }
        let file = """
            {
              "products" : [],
              "subscriptionGroups" : [ \(group("basket", "4.99")), \(group("free", "0")) ],
              "version" : { "major" : 2, "minor" : 0 }
            }
            """
        let bundle = BundleIdentifier(Self.bundleIdentifier)
        try await ImportingCatalogue(context)(
            StoreKitConfigurationFile(Data(file.utf8), file: "basket.storekit", bundleIdentifier: bundle),
            into: App(bundleIdentifier: bundle, name: "Fruit"))
    }

    /// Moves an account's clock.
    func later(_ duration: String, _ account: Account) async throws {
        _ = try await service.move(clockOf: account.email, .later(ClockDuration(duration)))
    }
}
