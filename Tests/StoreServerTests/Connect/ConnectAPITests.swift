// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// Connect's API, from a key to a product that is sold.
struct ConnectAPITests {
    private static let app = "apps/\(TestStore.bundleIdentifier)"
    private static let products = "\(app)/products"
    private static let kiwi = """
        {"product": "kiwi", "kind": "Consumable", "reference": "Kiwi", "tier": 2, "prices": {"DEU": "2.19"},
         "texts": {"en_US": {"title": "Kiwi", "description": "A kiwi"}}}
        """

    private func prices(_ identifiers: [String], _ device: TestDevice) async throws -> [String: Int64] {
        let answer = try await device.call(
            ProductsCall(
                bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: identifiers, languages: ["en_US"]))
        return Dictionary(uniqueKeysWithValues: answer.products.map { ($0.productIdentifier, $0.milliunits) })
    }

    @Test("A program registers a product, changes it and takes it off sale", arguments: Engine.servers)
    func products(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .developer, of: holder, store)
            let phone = try await store.addDevice()
            let made = try await program.send(.post, Self.products, Self.kiwi)
            #expect(made.status == .created && made.headers[.eTag] == "\"1\"", "\(made.text)")
            #expect(try await prices(["kiwi"], phone) == ["kiwi": 1990])
            let path = "\(Self.products)/kiwi"
            let change = """
                {"tier": 5, "prices": {"CHE": "6.00"}, "exclusions": ["FRA"], "note": "New",
                 "texts": {"de_DE": {"title": "Kiwi", "description": "Eine Kiwi"}}}
                """
            let changed = try await program.send(.patch, path, change, tag: "\"1\"")
            #expect(changed.status == .ok && changed.headers[.eTag] == "\"2\"", "\(changed.text)")
            let values = try changed.object()
            #expect(values["prices"] as? [String: String] == ["CHE": "6.00", "DEU": "2.19"])
            #expect((values["texts"] as? [String: Any])?.keys.sorted() == ["de_DE", "en_US"])
            #expect(values["tier"] as? Int == 5 && values["price"] as? String == "4.99")
            #expect(values["reference"] as? String == "Kiwi" && values["state"] as? String == "approved")
            // The same change again, as after a lost answer.
            #expect(try await program.send(.patch, path, change, tag: "\"1\"").headers[.eTag] == "\"2\"")
            #expect(try await prices(["kiwi"], phone) == ["kiwi": 4990])
            let removal = "{\"cleared\": false, \"texts\": {\"de_DE\": null}, \"prices\": {\"deu\": null}}"
            let off = try await program.send(.patch, path, removal, tag: "\"2\"")
            #expect(try off.object()["state"] as? String == "removed-from-sale")
            #expect(try off.object()["prices"] as? [String: String] == ["CHE": "6.00"])
            #expect(try await prices(["kiwi"], phone).isEmpty)
            let list = try await program.send(.get, "\(Self.products)?search=kiwi").object()
            #expect((list["products"] as? [[String: Any]])?.map { $0["product"] as? String } == ["kiwi"])
            let free = try await program.send(.patch, path, "{\"tier\": null}", tag: "\"3\"").object()
            #expect(free["missing"] as? [String] == ["price", "screenshot"])
            #expect(free["tier"] == nil && free["price"] == nil)
        }
    }

    @Test("A subscription gets a group, and its price stays", arguments: Engine.servers)
    func subscriptions(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .admin, of: holder, store)
            let new = """
                {"product": "basket", "kind": "Auto-Renewable Subscription", "reference": "Basket", "tier": 3,
                 "newGroup": "Baskets", "period": "P1M", "level": 2, "family": true}
                """
            let made = try await program.send(.post, Self.products, new)
            #expect(made.status == .created, "\(made.text)")
            let plan = try #require(try made.object()["subscription"] as? [String: Any])
            #expect(plan["level"] as? Int == 2 && plan["period"] as? String == "P1M")
            let groups = try await program.send(.get, "\(Self.app)/groups").object()["groups"] as? [[String: Any]]
            #expect(groups?.map { $0["name"] as? String } == ["Baskets"])
            let path = "\(Self.products)/basket"
            for change in ["{\"tier\": 4}", "{\"prices\": {\"DEU\": \"1.00\"}}", "{\"family\": false}"] {
                let refused = try await program.send(.patch, path, change, tag: "\"1\"")
                #expect(refused.status == .badRequest && refused.code == "invalid", "\(change)")
            }
            let changed = try await program.send(.patch, path, "{\"tier\": 3, \"level\": 1}", tag: "\"1\"")
            #expect(changed.status == .ok, "\(changed.text)")
        }
    }

    @Test("Of two programs that change one object, the second gets the saved values", arguments: Engine.servers)
    func conflict(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .accountHolder, of: holder, store)
            let path = "\(Self.products)/apple"
            let tag = try #require(try await program.send(.get, path).headers[.eTag])
            let first = try await program.send(.patch, path, "{\"reference\": \"First\"}", tag: tag)
            #expect(first.status == .ok)
            let second = try await program.send(.patch, path, "{\"note\": \"Second\"}", tag: tag)
            #expect(second.status == .conflict && second.code == "changed")
            #expect(try second.saved()["reference"] as? String == "First")
            #expect(second.headers[.eTag] == first.headers[.eTag])
            let ahead = try await program.send(.patch, path, "{\"note\": \"Ahead\"}", tag: "\"9999\"")
            #expect(ahead.status == .conflict)
            for tag in [nil, "", "*", "3", "\"x\"", "\"-1\"", "W/\"1\""] {
                let refused = try await program.send(.patch, path, "{\"note\": \"None\"}", tag: tag)
                #expect(refused.status == .badRequest, "\(tag ?? "none")")
            }
            let app = try await program.send(.patch, Self.app, "{\"name\": \"Fruit Shop\"}", tag: "\"0\"")
            #expect(app.status == .ok)
            let other = try await program.send(.patch, Self.app, "{\"name\": \"Other\"}", tag: "\"0\"")
            #expect(other.status == .conflict)
            #expect(try other.saved()["name"] as? String == "Fruit Shop")
            let user = try await store.addUser(.developer, to: holder)
            let role = "users/\(user.identifier)"
            let given = try await program.send(.patch, role, "{\"role\": \"support\"}", tag: "\"developer\"")
            #expect(given.status == .ok && given.headers[.eTag] == "\"support\"")
            let late = try await program.send(.patch, role, "{\"role\": \"admin\"}", tag: "\"developer\"")
            #expect(late.status == .conflict)
            #expect(try late.saved()["role"] as? String == "support")
        }
    }

    @Test("Values that can't be saved are named with their fields, and change nothing", arguments: Engine.servers)
    func wrong(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .accountHolder, of: holder, store)
            let before = try await store.count("product")
            let long = String(repeating: "x", count: 36)
            let attempts: [(path: String, body: String, problems: [String])] = [
                (
                    Self.products,
                    """
                    {"product": "a b", "kind": "Gift", "reference": "", "tier": 88, "prices": {"DEU": "1\\nFRA 2"},
                     "exclusions": ["XXX"], "texts": {"en_US": {"title": "\(long)"}, "xx": {"title": "A"}}}
                    """,
                    ["prices.DEU malformed"]
                ),
                (
                    Self.products,
                    """
                    {"product": "a b", "kind": "Gift", "reference": "", "tier": 88, "prices": {"DEU": "one"},
                     "exclusions": ["XXX"], "texts": {"en_US": {"title": "\(long)"}, "xx": {"title": "A"}}}
                    """,
                    [
                        "exclusions unknown", "kind unknown", "prices malformed", "product malformed",
                        "reference missing", "texts unknown", "texts.en_US.title too-long", "tier unknown",
                    ]
                ),
                (
                    Self.products,
                    """
                    {"product": 1, "kind": [], "refrence": "A", "tier": "1", "cleared": null, "texts": [],
                     "prices": {"DEU": 1}, "level": 1}
                    """,
                    [
                        "cleared malformed", "kind malformed", "level unknown", "prices.DEU malformed",
                        "product malformed", "refrence unknown", "texts malformed", "tier malformed",
                    ]
                ),
                (
                    Self.products, "{\"texts\": {\"en_US\": {\"title\": 1, \"name\": \"A\"}, \"de_DE\": 2}}",
                    ["texts.de_DE malformed", "texts.en_US.name unknown", "texts.en_US.title malformed"]
                ),
                ("apps", "{}", ["bundle missing", "locale missing", "name missing", "sku missing"]),
                ("invitations", "{\"email\": \"x\", \"role\": \"boss\"}", ["email malformed", "role unknown"]),
            ]
            for (path, body, problems) in attempts {
                let refused = try await program.send(.post, path, body)
                #expect(refused.status == .badRequest && refused.code == "invalid", "\(body)")
                #expect(try refused.problems == problems, "\(refused.text)")
            }
            for body in ["", "[]", "{", "null", "{} {}", "{\"name\": \"\\ud800\"}"] {
                let refused = try await program.send(.post, "apps", body)
                #expect(refused.code == "malformed", "\(body)")
            }
            let large = String(repeating: " ", count: ConnectBody.limit + 1)
            let apple = "\(Self.products)/apple/submission"
            for path in ["apps", "invitations", apple] {
                #expect(try await program.send(.post, path, large, tag: "\"0\"").status == .contentTooLarge, "\(path)")
            }
            #expect(try await program.send(.get, "log?before=x").status == .badRequest)
            #expect(try await store.count("product") == before)
        }
    }

    @Test("A submitted product waits for the review, and is submitted once", arguments: Engine.servers)
    func submission(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            try await store.withHTTP { client in
                let holder = try await store.setUpTeam()
                let program = try await ConnectProgram(client, .developer, of: holder, store)
                let made = try await program.send(.post, Self.products, Self.kiwi)
                #expect(try made.object()["state"] as? String == "ready-to-submit")
                let path = "\(Self.products)/kiwi/submission"
                #expect(try made.object()["missing"] as? [String] == ["screenshot"])
                #expect(try await program.send(.post, path, tag: "\"1\"").status == .badRequest)
                try await store.addScreenshot(of: "kiwi", by: holder)
                let tag = try await program.send(.get, "\(Self.products)/kiwi").headers[.eTag]
                let submitted = try await program.send(.post, path, tag: tag)
                #expect(try submitted.object()["state"] as? String == "waiting-for-review", "\(submitted.text)")
                store.clock.advance(by: .seconds(1))
                let again = try await program.send(.post, path, tag: submitted.headers[.eTag])
                #expect(again.status == .conflict && again.code == "decided")
                #expect(try again.saved()["state"] as? String == "waiting-for-review")
                let lacking = try await program.send(
                    .post, Self.products, "{\"product\": \"fig\", \"kind\": \"Consumable\", \"reference\": \"Fig\"}")
                #expect(lacking.status == .created)
                let refused = try await program.send(.post, "\(Self.products)/fig/submission", tag: "\"1\"")
                #expect(refused.status == .badRequest)
            }
        }
    }

    @Test("Lists have pages, and the log names the key", arguments: Engine.servers)
    func pages(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .admin, of: holder, store)
            for number in 100..<151 {
                let app = "{\"bundle\": \"com.a\(number)\", \"name\": \"A\(number)\", \"sku\": \"\(number)\", "
                let made = try await program.send(.post, "apps", app + "\"locale\": \"en_US\"}")
                #expect(made.status == .created, "\(made.text)")
            }
            let first = try await program.send(.get, "apps").object()
            #expect((first["apps"] as? [Any])?.count == 50 && first["next"] as? String == "com.a149")
            let rest = try await program.send(.get, "apps?after=com.a149").object()
            #expect((rest["apps"] as? [Any])?.count == 2 && rest["next"] == nil)
            let log = try await program.send(.get, "log?search=com.a1").object()
            let changes = try #require(log["changes"] as? [[String: Any]])
            #expect(changes.count == 50 && (changes[0]["user"] as? String)?.hasPrefix("API key ") == true)
            let next = try #require(log["next"] as? Int)
            let older = try await program.send(.get, "log?search=com.a1&before=\(next)").object()
            #expect((older["changes"] as? [Any])?.count == 1)
        }
    }

    @Test("A team that sends too many requests has to wait")
    func rate() async throws {
        try await Engine.sqliteMemory.withStore { store in
            var configuration = ServerConfiguration(host: "localhost", port: 0)
            configuration.limits.serverRequestsPerSecond = 1
            try await store.withHTTP(configuration) { client in
                let holder = try await store.setUpTeam()
                let other = try await store.setUpTeam("other", holder: "holder@other.example")
                let program = try await ConnectProgram(client, .admin, of: holder, store)
                for _ in 0..<2 { #expect(try await program.send(.get, "roles").status == .ok) }
                let refused = try await program.send(.get, "roles")
                #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "1")
                let ofOther = try await ConnectProgram(client, .admin, of: other, store)
                #expect(try await ofOther.send(.get, "roles").status == .ok)
                store.clock.advance(by: .seconds(1))
                #expect(try await program.send(.get, "roles").status == .ok)
            }
        }
    }

    @Test("Hostile names are texts, and hostile paths are not found", arguments: Engine.servers)
    func names(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .accountHolder, of: holder, store)
            let name = "=1+\\\"><script>"
            let made = try await program.send(
                .post, "apps", "{\"bundle\": \"com.b\", \"name\": \"\(name)\", \"sku\": \"1\", \"locale\": \"en_US\"}")
            #expect(try made.object()["name"] as? String == "=1+\"><script>")
            #expect(made.headers[.contentType] == "application/json")
            let page = try await ConnectBrowser(client, holder, store).get("/connect/apps")
            #expect(page.text.contains("&lt;script") && !page.text.contains("<script"))
            for path in [
                "apps/..", "apps/%2e%2e%2f", "apps/'%20OR%201=1", "users/%00", "apps/%00", "apps/\(Self.app)%00",
                "\(Self.products)/%00", "invitations/%00",
            ] {
                let method: HTTPRequest.Method = path.hasPrefix("inv") ? .delete : .get
                let answer = try await program.send(method, path)
                #expect([.notFound, .badRequest].contains(answer.status), "\(path): \(answer.status) \(answer.text)")
            }
        }
    }
}
