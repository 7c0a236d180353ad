// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The offers, codes and scheduled prices of Connect's API.
struct ConnectAPIOfferTests {
    private static let app = "apps/\(TestStore.bundleIdentifier)"
    private static let product = "\(app)/products/banana"
    private static let offers = "\(product)/offers"
    private static let prices = "\(product)/scheduled-prices"
    private static let codes = "\(app)/codes"

    private func withBasket(
        _ engine: Engine, _ role: TeamRole,
        _ body: @escaping @Sendable (TestStore, TeamUser, ConnectProgram) async throws -> Void
    ) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(
                kind: .autoRenewable, values: TestStore.productValues(tier: "3"), by: holder)
            try await body(store, holder, try await ConnectProgram(client, role, of: holder, store))
        }
    }

    private func count(_ response: TestResponse) throws -> Int? { (try response.object()["offers"] as? [Any])?.count }

    @Test("A program adds an offer of each kind, lists them and removes them", arguments: Engine.servers)
    func offers(engine: Engine) async throws {
        try await withBasket(engine, .marketing) { store, holder, program in
            var tag = try await program.send(.get, Self.offers).headers[.eTag]
            let bodies = [
                "{\"kind\": \"introductory\", \"mode\": \"free\", \"period\": \"P1W\"}",
                """
                {"kind": "promotional", "identifier": "back", "reference": "Back", "mode": "payAsYouGo", "periods": 3,
                 "price": "0.99", "prices": {"DEU": "1.19"}}
                """,
                """
                {"kind": "code", "identifier": "spring", "mode": "free", "period": "P1M", "stackable": true,
                 "eligibility": ["new", "expired"]}
                """,
                """
                {"kind": "win-back", "identifier": "again", "reference": "Again", "mode": "payUpFront",
                 "period": "P3M", "price": "1.99", "paidMonths": 3, "highPriority": true}
                """,
            ]
            for (place, body) in bodies.enumerated() {
                let added = try await program.send(.post, Self.offers, body, tag: tag)
                #expect(added.status == .created, "\(added.text)")
                #expect(try count(added) == place + 1)
                tag = added.headers[.eTag]
            }
            let product = try await store.registration("banana", as: holder).product
            #expect(product.offers.count == 4 && product.codeOffer("spring")?.eligibility == [.new, .expired])
            let late = try await program.send(
                .delete, "\(Self.offers)/introductory", tag: "\"1\"")
            #expect(late.status == .conflict && late.headers[.eTag] == tag)
            for path in ["introductory", "promotional/back", "code/spring", "win-back/again"] {
                let removed = try await program.send(.delete, "\(Self.offers)/\(path)", tag: tag)
                #expect(removed.status == .ok, "\(removed.text)")
                tag = removed.headers[.eTag]
            }
            #expect(try await store.registration("banana", as: holder).product.offers.isEmpty)
            let log = try await store.service.teamReader.changes(as: holder).entries
            #expect(log.filter { $0.kind == .offerAdded && $0.user.hasPrefix("API key ") }.count == 4)
        }
    }

    @Test("Values of offers, codes and prices that can't be saved are named", arguments: Engine.servers)
    func wrong(engine: Engine) async throws {
        try await withBasket(engine, .admin) { store, holder, program in
            let tag = try await program.send(.get, Self.offers).headers[.eTag]
            let priceTag = try await program.send(.get, Self.prices).headers[.eTag]
            let attempts: [(path: String, tag: String?, body: String, problems: [String])] = [
                (Self.offers, tag, "{\"kind\": \"gift\"}", ["kind unknown"]),
                (
                    Self.offers, tag, "{\"kind\": \"code\", \"mode\": \"free\", \"eligibility\": [\"all\"]}",
                    ["eligibility unknown"]
                ),
                (
                    Self.offers, tag, "{\"kind\": \"introductory\", \"mode\": \"free\", \"identifier\": \"a\"}",
                    ["identifier unknown"]
                ),
                (
                    Self.offers, tag,
                    "{\"kind\": \"promotional\", \"mode\": \"payAsYouGo\", \"periods\": 99, \"price\": \"99\"}",
                    ["identifier missing", "periods out-of-range", "price too-high", "reference missing"]
                ),
                (Self.codes, nil, "{\"product\": \"banana\"}", ["count missing", "name missing"]),
                (
                    Self.codes, nil, "{\"product\": \"x\", \"name\": \"A\", \"word\": \"WORD\", \"count\": 1}",
                    ["count unknown"]
                ),
                (
                    Self.codes, nil, "{\"product\": \"unknown\", \"name\": \"A\", \"count\": 1}",
                    ["product unknown"]
                ),
                (
                    Self.codes, nil,
                    "{\"product\": \"banana\", \"offer\": \"a\", \"forApp\": true, \"name\": \"A\", \"count\": 1}",
                    ["offer unknown", "product unknown"]
                ),
                (
                    Self.codes, nil, "{\"name\": \"A\", \"count\": 1, \"forApp\": \"yes\"}",
                    ["forApp malformed"]
                ),
                (
                    Self.prices, priceTag, "{\"country\": \"XXX\", \"price\": \"cheap\", \"consent\": \"no\"}",
                    ["consent unknown", "country unknown", "price malformed"]
                ),
            ]
            let before = try await ConnectRoleTests.rows(of: store)
            for (path, tag, body, problems) in attempts {
                let refused = try await program.send(.post, path, body, tag: tag)
                #expect(refused.status == .badRequest, "\(body): \(refused.text)")
                #expect(try refused.problems == problems, "\(body)")
            }
            #expect(try await ConnectRoleTests.rows(of: store) == before)
        }
    }

    @Test("A program makes codes, reads them in JSON and CSV for a day, and revokes them", arguments: Engine.servers)
    func codes(engine: Engine) async throws {
        try await withBasket(engine, .marketing) { store, holder, program in
            let made = try await program.send(
                .post, Self.codes, "{\"product\": \"banana\", \"name\": \"Press\", \"count\": 3}")
            #expect(made.status == .created, "\(made.text)")
            let batch = try #require(try made.object()["batch"] as? String)
            #expect(try made.object()["hasCodes"] as? Bool == true && made.object()["kind"] as? String == "promo")
            let json = try await program.send(.get, "\(Self.codes)/\(batch)/codes").object()
            let codes = try #require(json["codes"] as? [[String: Any]]).compactMap { $0["code"] as? String }
            let table = try await program.send(.get, "\(Self.codes)/\(batch)/codes", accept: "text/csv")
            #expect(table.headers[.contentType] == "text/csv; charset=utf-8")
            #expect(table.text == "code,redeemed\r\n" + codes.map { "\($0),0\r\n" }.joined() && codes.count == 3)
            let list = try await program.send(.get, Self.codes).object()
            #expect((list["batches"] as? [[String: Any]])?.map { $0["batch"] as? String } == [batch])
            for action in ["completion", "revocation", "revocation"] {
                let done = try await program.send(.post, "\(Self.codes)/\(batch)/\(action)")
                #expect(done.status == .ok, "\(done.text)")
            }
            let revoked = try await program.send(.get, "\(Self.codes)/\(batch)").object()
            #expect(revoked["revoked"] is String)
            #expect(try await program.send(.get, "\(Self.codes)/unknown").status == .notFound)
            let log = try await store.service.teamReader.changes(as: holder).entries
            #expect(log.filter { $0.kind == .codesRevoked }.count == 1)
        }
    }

    @Test("A program makes promo codes of the app itself, if the app has a store page", arguments: Engine.servers)
    func ofApp(engine: Engine) async throws {
        try await withBasket(engine, .marketing) { store, _, program in
            let body = "{\"forApp\": true, \"name\": \"Press\", \"count\": 2}"
            let refused = try await program.send(.post, Self.codes, body)
            #expect(refused.status == .badRequest && refused.code == "invalid", "\(refused.text)")
            try await store.addItem(1001, app: BundleIdentifier(TestStore.bundleIdentifier))
            let made = try await program.send(.post, Self.codes, body).object()
            #expect(made["kind"] as? String == "promo" && made["product"] == nil && made["size"] as? Int == 2)
            let batch = try #require(made["batch"] as? String)
            let json = try await program.send(.get, "\(Self.codes)/\(batch)/codes").object()
            #expect((json["codes"] as? [Any])?.count == 2)
            let revoked = try await program.send(.post, "\(Self.codes)/\(batch)/revocation").object()
            #expect(revoked["revoked"] is String && revoked["product"] == nil)
        }
    }

    @Test("Codes whose batch the program names are made once", arguments: Engine.servers)
    func repeated(engine: Engine) async throws {
        try await withBasket(engine, .marketing) { store, holder, program in
            func send(_ name: String, _ batch: String) async throws -> TestResponse {
                try await program.send(
                    .post, Self.codes,
                    "{\"product\": \"banana\", \"name\": \"\(name)\", \"count\": 3, \"batch\": \"\(batch)\"}")
            }
            for _ in 0..<2 {
                let made = try await send("Press", "00112233445566aa")
                #expect(made.status == .created, "\(made.text)")
                #expect(try made.object()["batch"] as? String == "00112233445566aa")
            }
            let list = try await program.send(.get, Self.codes).object()
            #expect((list["batches"] as? [Any])?.count == 1)
            let other = try await send("Other", "00112233445566aa")
            #expect(try other.status == .badRequest && other.problems == ["batch taken"])
            let wrong = try await send("Press", "7")
            #expect(try wrong.status == .badRequest && wrong.problems == ["batch malformed"])
            let unknown = try await program.send(.get, "\(Self.codes)?before=unknown")
            #expect(try unknown.status == .badRequest && unknown.problems == ["before malformed"])
        }
    }

    @Test("A key without the right is refused before its body is read")
    func rights() async throws {
        try await withBasket(.sqliteMemory, .finance) { store, holder, program in
            let changes: [(method: HTTPRequest.Method, path: String)] = [
                (.post, Self.codes), (.post, Self.offers), (.delete, "\(Self.offers)/introductory"),
                (.post, Self.prices), (.post, "\(Self.app)/products"), (.patch, Self.product), (.patch, Self.app),
                (.post, "apps"), (.patch, "users/\(holder.identifier)"), (.post, "invitations"),
            ]
            for (method, path) in changes {
                let refused = try await program.send(method, path, "no JSON")
                #expect(refused.status == .forbidden, "\(method) \(path): \(refused.text)")
            }
        }
    }

    @Test("A program schedules a price, and cancels it", arguments: Engine.servers)
    func prices(engine: Engine) async throws {
        try await withBasket(engine, .developer) { store, holder, program in
            let empty = try await program.send(.get, Self.prices)
            let day = CivilDate(dayNumber: Int(store.clock.now.milliseconds / 86_400_000) + 40).text
            let body = """
                {"country": "DEU", "price": "2.49", "firstDay": "\(day)", "subscribers": "change", "consent": "needed"}
                """
            let made = try await program.send(.post, Self.prices, body, tag: empty.headers[.eTag])
            #expect(made.status == .created, "\(made.text)")
            let scheduled = try #require(try made.object()["scheduled"] as? [[String: Any]])
            #expect(scheduled.count == 1 && scheduled[0]["price"] as? String == "2.49")
            #expect(scheduled[0]["consent"] as? String == "needed" && scheduled[0]["country"] as? String == "DEU")
            // The same call again, as after a lost answer: `saved` shows the price.
            let again = try await program.send(.post, Self.prices, body, tag: empty.headers[.eTag])
            #expect(again.status == .conflict && again.headers[.eTag] == made.headers[.eTag])
            #expect((try again.saved()["scheduled"] as? [Any])?.count == 1)
            let change = try #require(scheduled[0]["change"] as? String)
            for _ in 0..<2 {
                #expect(try await program.send(.delete, "\(Self.prices)/\(change)").status == .noContent)
            }
            #expect((try await program.send(.get, Self.prices).object()["scheduled"] as? [Any])?.isEmpty == true)
            let log = try await store.service.teamReader.changes(as: holder).entries
            #expect(log.map(\.kind).contains(.priceCancelled))
        }
    }
}
