// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreServer
import StoreService
import StoreTestSupport
import Testing

/// The pages on which customers see and change their account: browsers,
/// devices, password, settings and the end of the account.
struct AccountPageTests {
    private static let password = TestStore.password.replacing(" ", with: "+")

    private static func form(_ account: Account, _ rest: String) -> String {
        "email=\(account.email)&password=\(password)&\(rest)"
    }

    /// The headers of a form that a browser with a session sends.
    private static func browser(_ cookie: String, json: Bool = true) -> HTTPFields {
        var headers: HTTPFields = [.cookie: cookie, .origin: "https://store.example", .userAgent: "Firefox <Linux>"]
        if json { headers[.accept] = "application/json" }
        return headers
    }

    private static func cookie(of response: TestResponse) throws -> String {
        String(try #require(response.headers[.setCookie]).prefix { $0 != ";" })
    }

    /// Signs in on the page of sessions, and returns the cookie.
    private func signIn(_ account: Account, _ client: any TestClientProtocol) async throws -> String {
        let page = try await client.post(
            "/account/sessions", Self.form(account, "decision=show"), headers: [.userAgent: "Firefox <Linux>"])
        #expect(page.status == .ok)
        return try Self.cookie(of: page)
    }

    @Test("Every page asks for the sign-in, and then shows the account", arguments: Engine.servers)
    func signIn(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            for path in ["settings", "payment", "devices", "sessions", "password", "delete"].map({ "/account/\($0)" }) {
                let asked = try await client.get(path)
                #expect(asked.status == .ok && asked.text.contains("id=\"sign-in\""))
                #expect(!asked.text.contains(anna.email))
                let script = try await client.get(path, headers: .script)
                #expect(script.status == .unauthorized && script.code == "wrong-password")
                let shown = try await client.post(path, Self.form(anna, "decision=show"))
                #expect(shown.status == .ok && shown.text.contains(anna.email), "\(path)")
                #expect(!shown.text.contains("id=\"sign-in\"") && shown.text.contains("aria-current=\"page\""))
                let cookie = try Self.cookie(of: shown)
                let again = try await client.get(path, headers: Self.browser(cookie, json: false))
                #expect(again.text.contains(anna.email))
                let odd = try await client.post(
                    path, Self.form(anna, "decision=dance"), headers: Self.browser(cookie))
                #expect(odd.status == .badRequest && odd.code == "invalid", "\(path)")
            }
        }
    }

    @Test("An answer that another site sends changes nothing", arguments: Engine.servers)
    func otherSite(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let cookie = try await signIn(anna, client)
            let answers = [
                ("settings", "decision=save&rule=always"), ("sessions", "decision=everywhere"),
                ("devices", "decision=remove&device=1"), ("payment", "decision=add&card=accepted"),
                ("password", Self.form(anna, "decision=change&newPassword=x")),
                ("delete", Self.form(anna, "decision=delete")),
            ]
            for (page, form) in answers {
                for headers in [
                    HTTPFields.script.merging(cookie: cookie, site: "cross-site"),
                    [.accept: "application/json", .cookie: cookie, .origin: "https://evil.example"],
                ] {
                    let refused = try await client.post("/account/\(page)", form, headers: headers)
                    #expect(refused.status == .forbidden && refused.code == "cross-site")
                }
            }
            #expect(try await store.service.account(anna.email) == anna)
            #expect(try await store.service.sessions(of: anna).count == 1)
        }
    }

    @Test("A customer sees the browsers, ends one, and signs out everywhere", arguments: Engine.servers)
    func sessions(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("pear", request: "pear", as: anna)
            let (here, there) = (try await signIn(anna, client), try await signIn(anna, client))

            let page = try await client.get("/account/sessions", headers: Self.browser(here, json: false))
            #expect(page.text.contains("Firefox &lt;Linux&gt;") && !page.text.contains("<Linux>"))
            #expect(page.text.contains("This browser."))
            let list = try await client.get("/account/sessions", headers: Self.browser(here))
            let sessions = try #require(try list.object()["sessions"] as? [[String: Any]])
            #expect(sessions.count == 2)
            let other = try #require(sessions.first { $0["isCurrent"] as? Bool == false }?["session"] as? String)

            let ended = try await client.post(
                "/account/sessions", "decision=end&session=\(other)", headers: Self.browser(here))
            #expect(try (ended.object()["sessions"] as? [Any])?.count == 1)
            let gone = try await client.get("/account/sessions", headers: Self.browser(there))
            #expect(gone.status == .unauthorized)
            let unknown = try await client.post(
                "/account/sessions", "decision=end&session=\(other)", headers: Self.browser(here))
            #expect(unknown.code == "not-found")

            let everywhere = try await client.post(
                "/account/sessions", "decision=everywhere", headers: Self.browser(here, json: false))
            #expect(everywhere.text.contains("all devices are signed out"))
            #expect(everywhere.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(try await store.count("sheet_session") == 0)
            #expect(try await store.service.devices(of: anna).isEmpty)
        }
    }

    @Test("A customer sees the devices, and removes one", arguments: Engine.servers)
    func devices(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let (phone, tablet) = (try await store.addDevice(1), try await store.addDevice(2))
            for device in [phone, tablet] { try await device.buy("juice", request: "juice", as: anna) }
            let cookie = try await signIn(anna, client)

            let page = try await client.get("/account/devices", headers: Self.browser(cookie, json: false))
            #expect(page.text.contains("Device \(phone.credentials.identifier.prefix(8))"))
            let removed = try await client.post(
                "/account/devices", "decision=remove&device=\(phone.credentials.identifier)",
                headers: Self.browser(cookie))

            let left = try #require(try removed.object()["devices"] as? [[String: Any]])
            #expect(left.map { $0["device"] as? String } == [tablet.credentials.identifier])
            #expect(try await phone.receiptAnswer().receipt == nil)
            let again = try await client.post(
                "/account/devices", "decision=remove&device=\(phone.credentials.identifier)",
                headers: Self.browser(cookie))
            #expect(again.code == "not-found")
        }
    }

    @Test("A new password needs the old one, and ends the sessions of other browsers", arguments: Engine.servers)
    func newPassword(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let (here, there) = (try await signIn(anna, client), try await signIn(anna, client))

            let without = try await client.post(
                "/account/password", "decision=change&newPassword=another", headers: Self.browser(here))
            #expect(without.status == .unauthorized && without.code == "wrong-password")
            let empty = try await client.post(
                "/account/password", Self.form(anna, "decision=change&newPassword="), headers: Self.browser(here))
            #expect(empty.code == "invalid")
            let changed = try await client.post(
                "/account/password", Self.form(anna, "decision=change&newPassword=another+horse"),
                headers: Self.browser(here, json: false))

            #expect(changed.status == .ok && changed.text.contains("The password is changed."))
            let new = try #require(changed.headers[values: .setCookie].last)
            for old in [here, there] {
                #expect(try await client.get("/account/sessions", headers: Self.browser(old)).status == .unauthorized)
            }
            let kept = String(new.prefix { $0 != ";" })
            let list = try await client.get("/account/sessions", headers: Self.browser(kept))
            #expect(try (list.object()["sessions"] as? [Any])?.count == 1)
            let stale = try await client.post("/account/sessions", Self.form(anna, "decision=show"))
            #expect(stale.status == .unauthorized)
        }
    }

    @Test("The sheet obeys the rule of the password", arguments: Engine.servers)
    func rule(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            var cookie = try await signIn(anna, client)
            func answer(_ product: String, _ price: String) async throws -> String? {
                let request = "\(product) \(store.clock.now.milliseconds)"
                let sheet = try phone.token(try await phone.ask(product, request: request).sheet)
                store.clock.advance(by: .seconds(1))
                let page = try await client.get("/sheet/\(sheet)", headers: Self.browser(cookie, json: false))
                let response = try await client.post(
                    "/sheet/\(sheet)", "decision=buy&shown=\(price)+USD", headers: Self.browser(cookie))
                let isSpared = page.text.contains("not needed again")
                #expect(isSpared == (response.status == .ok), "\(product): the page and the answer differ")
                return response.code
            }
            func set(_ rule: String) async throws {
                let saved = try await client.post(
                    "/account/settings", Self.form(anna, "decision=save&rule=\(rule)"), headers: Self.browser(cookie))
                #expect(try saved.object()["rule"] as? String == rule)
                cookie = try Self.cookie(of: saved)
            }

            #expect(try await answer("seed", "0") == nil)
            try await set("always")
            for (product, price) in [("seed", "0"), ("juice", "490")] {
                #expect(try await answer(product, price) == "wrong-password")
            }
            try await set("never-for-free")
            #expect(try await answer("juice", "490") == nil)
            store.clock.advance(by: .seconds(15 * 60))
            #expect(try await answer("seed", "0") == nil)
            #expect(try await answer("juice", "490") == "wrong-password")
            // An answer can't say that a product is free.
            #expect(try await answer("juice", "0") == "wrong-password")
            try await set("after-15-minutes")
            store.clock.advance(by: .seconds(15 * 60))
            #expect(try await answer("seed", "0") == "wrong-password")
        }
    }

    @Test(
        "A product that costs nothing any more when it is bought needs the price that was shown",
        arguments: Engine.servers)
    func freeNoMore(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            try await store.service.change(account: anna.email, .init(passwordRule: .notForFree))
            let phone = try await store.addDevice()
            let cookie = try await signIn(anna, client)
            store.clock.advance(by: .seconds(15 * 60))
            let sheet = try phone.token(try await phone.ask("seed", request: "seed").sheet)

            let unseen = try await client.post("/sheet/\(sheet)", "decision=buy", headers: Self.browser(cookie))
            #expect(unseen.code == "wrong-password")
            try await store.service.setPrice(
                product: "seed", of: BundleIdentifier(TestStore.bundleIdentifier), in: nil, to: "1.99")
            let dearer = try await client.post(
                "/sheet/\(sheet)", "decision=buy&shown=0+USD", headers: Self.browser(cookie))
            #expect(dearer.code == "wrong-password")
            #expect(try await store.ledger().isEmpty)
        }
    }

    @Test("A customer deletes the account with its password", arguments: Engine.servers)
    func deletion(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "apple", as: anna)
            let cookie = try await signIn(anna, client)

            let without = try await client.post("/account/delete", "decision=delete", headers: Self.browser(cookie))
            #expect(without.status == .unauthorized)
            let deleted = try await client.post("/account/delete", Self.form(anna, "decision=delete"))

            #expect(deleted.status == .ok && deleted.text.contains("The account is deleted."))
            #expect(try await store.count("account_email") == 0)
            #expect(try await store.ledger() == [990])
            let again = try await client.post("/account/delete", Self.form(anna, "decision=delete"))
            #expect(again.status == .unauthorized)
        }
    }

    @Test("Without https the password is typed for each answer", arguments: Engine.servers)
    func withoutTLS(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, publicURL: "http://127.0.0.1:8080")
            let anna = try await store.addAccount()
            try await store.withHTTP { client in
                let shown = try await client.post("/account/sessions", Self.form(anna, "decision=show"))
                #expect(shown.status == .ok && shown.headers[.setCookie] == nil)
                #expect(shown.text.contains("name=\"password\""))
                #expect(try await store.count("sheet_session") == 0)
            }
        }
    }
}
