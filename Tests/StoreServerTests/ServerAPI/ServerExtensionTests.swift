// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

/// Extensions of one subscription and of those of all subscribers, by the App
/// Store Server API.
@Suite(.timeLimit(.hang))
struct ServerExtensionTests {
    private static let request = "758883e8-151b-47b7-abd0-60c4d804c2f5"

    private func body(days: String = "10", reason: String = "3", identifier: String = "\"outage\"") -> String {
        #"{"extendByDays": \#(days), "extendReasonCode": \#(reason), "requestIdentifier": \#(identifier)}"#
    }

    private func massBody(_ others: String = "", days: Int = 10, request: String = Self.request) -> String {
        """
        {"extendByDays": \(days), "extendReasonCode": 3, "requestIdentifier": "\(request)",
         "productId": "basket"\(others)}
        """
    }

    @Test("A period is extended once for an identifier, and twice in a year", arguments: Engine.servers)
    func extending(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellServedBaskets()
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let first = try await phone.buy("basket", request: "r", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)
            let path = "v1/subscriptions/extend/\(first)"
            let end = try #require(try await seller.transaction(first).expiresDate)
            let revision = try #require(try await seller.answer("v2/history/\(first)")["revision"] as? String)

            for _ in 0..<2 {
                let answer = try await seller.answer(path, .put, body())
                #expect(answer["success"] as? Bool == true && answer["originalTransactionId"] as? String == first)
                #expect(answer["webOrderLineItemId"] as? String == first)
                let effective = try #require(answer["effectiveDate"] as? Int64)
                #expect(effective == Int64(end.timeIntervalSince1970 * 1000) + 10 * 86_400_000)
            }
            let payload = try await seller.transaction(first)
            #expect(payload.expiresDate == end.addingTimeInterval(10 * 86_400))
            let changed = try await seller.answer("v2/history/\(first)?revision=\(revision)")
            #expect(try seller.transactions(changed).map(\.transactionId) == [first])
            let mismatch = try await seller.refusal(path, .put, body(days: "11"))
            #expect(mismatch == "400 4000011")

            _ = try await seller.answer(path, .put, body(identifier: "\"again\""))
            #expect(try await seller.refusal(path, .put, body(identifier: "\"third\"")) == "403 4030005")
            #expect(try await seller.transaction(first).expiresDate == end.addingTimeInterval(20 * 86_400))
        }
    }

    @Test("Only a paid period that runs is extended, with Apple's numbers for the others", arguments: Engine.servers)
    func refused(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellServedBaskets()
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let paid = try await phone.buy("basket", request: "r", as: anna).transactionIdentifier
            let free = try await phone.buy("free", request: "f", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)
            let path = "v1/subscriptions/extend/\(paid)"
            let wrong = [
                (body(days: "0"), 4_000_009), (body(days: "91"), 4_000_009), (body(days: "1.5"), 4_000_009),
                (body(days: "\"1\""), 4_000_009), (body(days: "null"), 4_000_009), (body(reason: "4"), 4_000_010),
                (body(reason: "-1"), 4_000_010), (body(identifier: "\"\""), 4_000_011),
                (body(identifier: "7"), 4_000_011),
                (body(identifier: "\"\(String(repeating: "a", count: 129))\""), 4_000_011), ("[]", 4_000_000),
            ]
            for (body, code) in wrong {
                #expect(try await seller.refusal(path, .put, body) == "400 \(code)", "\(body.prefix(60))")
            }
            let extend = "v1/subscriptions/extend"
            #expect(try await seller.refusal("\(extend)/x", .put, body()) == "400 4000008")
            #expect(try await seller.refusal("\(extend)/2000000000000000001", .put, body()) == "404 4040005")
            let foreign = try await seller.refusal(path, .put, body(), claims: ["bid": "\"com.example.other\""])
            #expect(foreign == "404 4040005")
            #expect(try await seller.refusal("\(extend)/\(free)", .put, body()) == "403 4030004")

            try await store.later("1mo1d", anna)
            let page = try await seller.answer("v2/history/\(paid)?productId=basket")
            let renewed = try #require(try seller.transactions(page).last?.transactionId)
            #expect(try await seller.refusal("\(extend)/\(renewed)", .put, body()) == "404 4040005")
            try await SettingRenewal(store.context)(
                false, of: OriginalTransactionIdentifier(paid), account: anna.identifier)
            try await store.later("2mo", anna)
            #expect(try await seller.refusal(path, .put, body()) == "403 4030004")
        }
    }

    @Test("All subscribers of a product are extended, page by page, and counted once", arguments: Engine.servers)
    func everySubscriber(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellServedBaskets()
            let seller = try await ServerSeller(store, client)
            var ends: [String: Date] = [:]
            for (number, storefront) in ["USA", "DEU", "USA", "USA"].enumerated() {
                let account = try await store.addAccount("c\(number)@example.com", storefront: storefront)
                let phone = try await store.addDevice(UInt8(number + 1))
                let bought = try await phone.buy("basket", request: "r", as: account).transactionIdentifier
                ends[bought] = try await seller.transaction(bought).expiresDate
                guard number == 3 else { continue }
                // This one was extended as often as it can be.
                ends[bought] = nil
                for identifier in ["\"1\"", "\"2\""] {
                    _ = try await seller.answer(
                        "v1/subscriptions/extend/\(bought)", .put, body(identifier: identifier))
                }
            }
            let path = "v1/subscriptions/extend/mass"
            for address in [path, "\(path)/"] {
                let answer = try await seller.answer(address, .post, massBody(#", "storefrontCountryCodes": ["USA"]"#))
                #expect(answer as? [String: String] == ["requestIdentifier": Self.request])
            }
            let status = "\(path)/basket/\(Self.request)"
            let begun = try await seller.answer(status)
            #expect(begun["complete"] as? Bool == false && Set(begun.keys) == ["requestIdentifier", "complete"])

            // Two processes carry it out at the same time.
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask { try? await CarryingOutMassExtensions(store.context)(pageSize: 1) }
                }
            }
            try await CarryingOutMassExtensions(store.context)()

            let done = try await seller.answer(status)
            #expect(done["complete"] as? Bool == true)
            #expect(done["succeededCount"] as? Int == 2 && done["failedCount"] as? Int == 1)
            #expect(done["completeDate"] as? Int64 == store.clock.now.milliseconds)
            var moved = 0
            for (bought, end) in ends {
                let now = try #require(try await seller.transaction(bought).expiresDate)
                moved += now == end.addingTimeInterval(10 * 86_400) ? 1 : 0
            }
            #expect(moved == 2)
        }
    }

    @Test("Wrong orders for all subscribers get Apple's numbers", arguments: Engine.servers)
    func refusedOrders(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellServedBaskets()
            let seller = try await ServerSeller(store, client)
            let path = "v1/subscriptions/extend/mass"
            for (others, code) in [
                (#", "storefrontCountryCodes": []"#, 4_000_027), (#", "storefrontCountryCodes": ["XXX"]"#, 4_000_028),
                (#", "storefrontCountryCodes": "USA""#, 4_000_028), (#", "storefrontCountryCodes": [1]"#, 4_000_028),
            ] {
                #expect(try await seller.refusal(path, .post, massBody(others)) == "400 \(code)", "\(others)")
            }
            #expect(try await seller.refusal(path, .post, massBody(request: "outage")) == "400 4000011")
            #expect(try await seller.refusal(path, .post, massBody(days: 91)) == "400 4000009")
            let unknown = massBody().replacing("\"basket\"", with: "\"pear\"")
            #expect(try await seller.refusal(path, .post, unknown) == "400 4000023")
            _ = try await seller.answer(path, .post, massBody())
            #expect(try await seller.refusal(path, .post, massBody(days: 11)) == "400 4000011")
            for (status, refusal) in [
                ("basket/unknown", "400 4000011"), ("pear/\(Self.request)", "404 4040009"),
                ("%00/\(Self.request)", "400 4000000"), ("basket/%FF", "400 4000011"),
            ] {
                #expect(try await seller.refusal("\(path)/\(status)") == refusal, "\(status)")
            }
            let foreign = try await seller.refusal(
                "\(path)/basket/\(Self.request)", claims: ["bid": "\"com.example.other\""])
            #expect(foreign == "404 4040009")
        }
    }
}
