// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The calls of `/control/v1/…` about clocks and subscriptions.
@Suite(.timeLimit(.hang))
struct ControlSubscriptionTests {
    /// A client of the remote control, and an account with a phone that has
    /// bought a monthly subscription at 2026-01-10 20:00 UTC.
    private struct Operator {
        let store: TestStore
        let client: any TestClientProtocol
        let first: String

        init(_ store: TestStore, _ client: any TestClientProtocol) async throws {
            self.store = store
            self.client = client
            let bundle = BundleIdentifier(TestStore.bundleIdentifier)
            try await ImportingCatalogue(store.context)(
                StoreKitConfigurationFile(
                    Data(ControlSubscriptionTests.catalogue.utf8), file: "basket.storekit", bundleIdentifier: bundle),
                into: App(bundleIdentifier: bundle, name: "Fruit"))
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            _ = try await client.post(
                "/control/v1/move-clock", #"{"email": "anna@example.com", "to": "2026-01-10T20:00:00Z"}"#,
                headers: .control)
            first = try await phone.buy("basket", request: "1", as: anna).transactionIdentifier
        }

        func post(_ verb: String, _ body: String) async throws -> TestResponse {
            try await client.post("/control/v1/\(verb)", body, headers: .control)
        }

        func move(_ values: String) async throws -> TestResponse {
            try await post("move-clock", #"{"email": "anna@example.com", \#(values)}"#)
        }
    }

    private static let catalogue = """
        {
          "products" : [],
          "subscriptionGroups" : [
            { "id" : "G", "name" : "Baskets", "localizations" : [], "subscriptions" : [
              { "productID" : "basket", "referenceName" : "Basket", "displayPrice" : "4.99", "internalID" : "B",
                "familyShareable" : false, "type" : "RecurringSubscription", "recurringSubscriptionPeriod" : "P1M",
                "groupNumber" : 1, "subscriptionGroupID" : "G", "localizations" : [] } ] }
          ],
          "version" : { "major" : 2, "minor" : 0 }
        }
        """

    private func withOperator(
        on engine: Engine = .sqliteMemory, _ body: @Sendable @escaping (Operator) async throws -> Void
    ) async throws {
        try await engine.withControl { store, client in try await body(Operator(store, client)) }
    }

    private static func events(_ answer: [String: Any]) throws -> [[String: String]] {
        try #require(answer["events"] as? [[String: Any]]).map { $0.compactMapValues { $0 as? String } }
    }

    @Test("A clock is moved, and the events are answered with their own times", arguments: Engine.servers)
    func clock(engine: Engine) async throws {
        try await withOperator(on: engine) { desk in
            let before = try await desk.post("clock", #"{"email": "Anna@Example.com"}"#).object()
            #expect(before["time"] as? String == "2026-01-10T20:00:00Z")
            #expect(before["email"] as? String == "anna@example.com" && before["speed"] as? String == "real")
            #expect(before["nextEvent"] as? String == "2026-02-09T20:00:00Z")

            let moved = try await desk.move(#""by": "1mo""#).object()
            #expect(moved["from"] as? String == "2026-01-10T20:00:00Z")
            #expect((moved["clock"] as? [String: Any])?["time"] as? String == "2026-02-10T20:00:00Z")
            let page = try #require(moved["page"] as? [String: Any])
            #expect(page["next"] == nil)
            let events = try Self.events(page)
            #expect(events.map { $0["kind"] } == ["authorised", "renewed"])
            #expect(events.map { $0["time"] } == ["2026-02-09T20:00:00Z", "2026-02-10T20:00:00Z"])
            #expect(events.map { $0["product"] } == ["basket", "basket"])
            #expect(events.first?["transaction"] == desk.first && events.last?["transaction"] != desk.first)
            #expect(events.map { $0["subscription"] } == [desk.first, desk.first])
            #expect(events.map { $0["bundle"] } == Array(repeating: TestStore.bundleIdentifier, count: 2))
            #expect(events.map { $0["until"] } == [nil, "2026-03-10T19:00:00Z"])

            let next = try await desk.move(#""toNextEvent": true"#).object()
            #expect((next["clock"] as? [String: Any])?["time"] as? String == "2026-03-09T19:00:00Z")
            let fast = try await desk.move(#""speed": "month=5m""#).object()
            #expect((fast["clock"] as? [String: Any])?["speed"] as? String == "month=5m")
        }
    }

    @Test("A move of a clock that is wrong or unclear is 400, and names the remedy")
    func wrongMoves() async throws {
        try await withOperator { desk in
            for (values, words) in [
                (#""by": "100y""#, "2098"), (#""by": "3 days""#, "1y2w"), (#""to": "tomorrow""#, "2026-03-01"),
                (#""speed": "fast""#, "month=30s"), (#""to": "2026-01-10T19:59:59Z""#, "2026-01-10T20:00:00Z"),
                (#""by": "1d", "speed": "real""#, "one of"), (#""toNextEvent": false"#, "one of"),
            ] {
                let refused = try await desk.move(values)
                #expect(refused.status == .badRequest && refused.code == "invalid", "\(values)")
                #expect(refused.text.contains(words), "\(refused.text)")
            }
            for speed in RenewalSpeed.all {
                #expect(try await desk.move(#""speed": "fast""#).text.contains(speed.rawValue))
            }
            let nobody = try await desk.post("move-clock", #"{"email": "nobody@example.com", "by": "1d"}"#)
            #expect(nobody.status == .notFound)
            let clock = try await desk.post("clock", #"{"email": "anna@example.com"}"#).object()
            #expect(clock["time"] as? String == "2026-01-10T20:00:00Z")
        }
    }

    @Test("The history of years is read page by page, whether a clock has just been moved or not")
    func history() async throws {
        try await withOperator { desk in
            let moved = try await desk.move(#""by": "25y""#).object()
            var pages = [try #require(moved["page"] as? [String: Any])]
            while let next = pages.last?["next"] {
                let after = String(decoding: try JSONSerialization.data(withJSONObject: next), as: UTF8.self)
                pages.append(
                    try await desk.post(
                        "subscription-events", #"{"email": "anna@example.com", "waits": true, "after": \#(after)}"#
                    ).object())
            }
            let waited = try pages.flatMap(Self.events)
            #expect(pages.count >= 2 && waited.count == 600)
            #expect(waited.last?["time"]?.hasPrefix("2051-01-10") == true)

            var listed: [[String: String]] = []
            var after: String? = "[]"
            while let place = after {
                let page = try await desk.post(
                    "subscription-events", #"{"email": "anna@example.com", "after": \#(place)}"#
                ).object()
                listed += try Self.events(page)
                after = try page["next"].map {
                    String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
                }
            }
            #expect(Array(listed.dropFirst()) == waited && listed.first?["kind"] == "subscribed")
        }
    }

    @Test("Subscriptions are listed, cancelled, resumed and extended", arguments: Engine.servers)
    func subscriptions(engine: Engine) async throws {
        try await withOperator(on: engine) { desk in
            let answer = try await desk.post("subscriptions", #"{"email": "anna@example.com"}"#).object()
            let listed = try #require((answer["subscriptions"] as? [[String: Any]])?.first)
            #expect(listed["subscription"] as? String == desk.first && listed["transaction"] as? String == desk.first)
            #expect(listed["product"] as? String == "basket" && listed["group"] as? String == "G")
            #expect(listed["status"] as? String == "active" && listed["renews"] as? Bool == true)
            #expect(listed["nextProduct"] as? String == "basket" && listed["expirationIntent"] == nil)
            #expect(listed["paidUntil"] as? String == "2026-02-10T20:00:00Z")
            #expect(try Self.events(listed).map { $0["kind"] } == ["subscribed"])
            let elsewhere = try await desk.post(
                "subscriptions", #"{"email": "anna@example.com", "bundle": "com.example.other"}"#)
            #expect((try elsewhere.object()["subscriptions"] as? [Any])?.isEmpty == true)

            for (renews, kind) in [(false, "renewal turned off"), (true, "renewal turned on")] {
                let set = try await desk.post(
                    "set-renewal", #"{"transaction": "\#(desk.first)", "renews": \#(renews)}"#
                ).object()
                #expect(set["renews"] as? Bool == renews)
                #expect(try Self.events(set).last?["kind"] == kind)
            }

            for _ in 0..<2 {
                let extended = try await desk.post(
                    "extend-subscription",
                    #"{"transaction": "\#(desk.first)", "days": 10, "reason": "outage", "identifier": "i"}"#
                ).object()
                #expect(extended["until"] as? String == "2026-02-20T20:00:00Z")
            }
            let all = try await desk.post(
                "extend-subscribers",
                #"{"bundle": "com.example.fruit", "product": "basket", "days": 1, "reason": "other", "identifier": "j"}"#
            ).object()
            #expect((all["extended"] as? [[String: String]])?.map { $0["until"] } == ["2026-02-21T20:00:00Z"])
            #expect((all["refused"] as? [Any])?.isEmpty == true && all["next"] == nil)

            _ = try await desk.post("set-renewal", #"{"transaction": "\#(desk.first)", "renews": false}"#)
            _ = try await desk.move(#""by": "2mo""#)
            let late = try await desk.post("set-renewal", #"{"transaction": "\#(desk.first)", "renews": true}"#)
            #expect(late.status == .conflict && late.code == "decided")
        }
    }

    @Test("Prices are scheduled, listed and cancelled, and subscribers answer higher ones", arguments: Engine.servers)
    func prices(engine: Engine) async throws {
        try await withOperator(on: engine) { desk in
            let product = #""bundle": "com.example.fruit", "product": "basket""#
            let later = try await desk.post(
                "schedule-price", #"{\#(product), "price": "5.99", "starts": "2026-12-01T00:00:00Z"}"#
            ).object()
            #expect(later["status"] as? String == "scheduled" && later["subscribers"] as? String == "keep")
            _ = try await desk.post("cancel-price", #"{"change": "\#(later["change"] as? String ?? "")"}"#)
            for wrong in [
                #""price": "5.99", "starts": "tomorrow""#, #""price": "5.99", "subscribers": "all""#,
                #""price": "x""#, #""price": "5.99", "consent": "asked""#,
            ] {
                let refused = try await desk.post("schedule-price", "{\(product), \(wrong)}")
                #expect(refused.status == .badRequest && refused.code == "invalid", "\(wrong)")
            }
            _ = try await desk.post("schedule-price", #"{\#(product), "price": "12.99", "subscribers": "change"}"#)
            let list = try await desk.post("price-changes", "{\(product)}").object()
            let changes = try #require(list["changes"] as? [[String: Any]])
            #expect(changes.map { $0["price"] as? String } == ["12.99"])
            #expect(changes.first?["previous"] as? String == "4.99" && changes.first?["status"] as? String == "done")

            for (agrees, kind) in [(true, "price increase agreed"), (false, "renewal turned off")] {
                let answered = try await desk.post(
                    "answer-price-consent", #"{"transaction": "\#(desk.first)", "agrees": \#(agrees)}"#
                ).object()
                #expect(try Self.events(answered).last?["kind"] == kind)
                let increase = try #require(answered["priceIncrease"] as? [String: Any])
                #expect(increase["price"] as? String == "12.99" && increase["needsConsent"] as? Bool == true)
                #expect(increase["isAgreed"] as? Bool == agrees)
            }
            let asked = try await desk.post("ask-price-consent", #"{"transaction": "\#(desk.first)", "price": "14"}"#)
            #expect((try asked.object()["priceIncrease"] as? [String: Any])?["price"] as? String == "14.00")
        }
    }

    @Test("Extensions and grace periods of other values are 400, and unknown subscriptions are 404")
    func wrongValues() async throws {
        try await withOperator { desk in
            for (transaction, days, reason, status) in [
                (desk.first, 91, "outage", HTTPResponse.Status.badRequest), (desk.first, 1, "because", .badRequest),
                ("2", 1, "outage", .notFound), ("", 1, "outage", .notFound),
            ] {
                let refused = try await desk.post(
                    "extend-subscription",
                    #"""
                    {"transaction": "\#(transaction)", "days": \#(days), "reason": "\#(reason)", "identifier": "i"}
                    """#)
                #expect(refused.status == status, "\(refused.text)")
            }
            #expect(
                try await desk.post("set-renewal", #"{"transaction": "2", "renews": false}"#).status == .notFound)
            for (bundle, days, status) in [
                (TestStore.bundleIdentifier, 16, HTTPResponse.Status.ok), (TestStore.bundleIdentifier, 4, .badRequest),
                ("com.example.other", 3, .notFound),
            ] {
                let set = try await desk.post("set-grace-period", #"{"bundle": "\#(bundle)", "days": \#(days)}"#)
                #expect(set.status == status, "\(set.text)")
            }
            #expect(try await desk.store.count("app", where: "grace_period_days = 16") == 1)
        }
    }
}
