// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The pages of Connect's users, from the set-up on.
struct ConnectPageTests {
    private static let password = TestStore.teamPassword

    private func setUp(_ store: TestStore, _ browser: inout ConnectBrowser) async throws {
        let address = try #require(try await store.service.teamSetUpAddress())
        let path = try #require(address.hasPrefix(ConnectBrowser.origin) ? String(address.dropFirst(21)) : nil)
        let page = try await browser.get(path)
        #expect(page.status == .ok && page.text.contains("<html lang=\"\(browser.language)\""))
        let answer = try await browser.enter(
            path, ["team": "Fruit & Co", "email": "anna@example.com", "name": "Anna", "newPassword": Self.password])
        #expect(answer.status == .seeOther && answer.headers[.location] == "/connect")
        #expect(try await browser.get(path).status == .notFound)
    }

    @Test(
        "A team is set up, invites, and works by the pages, in three languages", arguments: Engine.servers,
        ["en", "de", "fr"])
    func whole(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            var anna = ConnectBrowser(client)
            anna.language = language
            let words = TeamWords.words(try #require(PageLanguage(rawValue: language)))
            try await setUp(store, &anna)
            #expect(try await anna.get("/connect").headers[.location] == "/connect/apps")
            let users = try await anna.get("/connect/users")
            #expect(users.text.contains("Fruit &amp; Co") && users.text.contains(words.noInvitations))
            let invited = try await anna.send(
                "/connect/users",
                ["decision": "invite", "email": "berta@example.com", "role": "support", "password": Self.password])
            #expect(invited.status == .ok && invited.headers[.cacheControl] == "no-store")
            let path = try #require(invited.oneTimePath)
            #expect(try await anna.get("/connect/users").oneTimePath == nil)

            var berta = ConnectBrowser(client)
            berta.language = language
            let page = try await berta.get(path)
            #expect(page.text.contains("berta@example.com") && page.text.contains("Fruit &amp; Co"))
            let joined = try await berta.enter(path, ["name": "Berta", "newPassword": Self.password])
            #expect(joined.status == .seeOther)
            #expect(try await berta.get("/connect/users").text.contains("Berta"))
            let log = try await anna.get("/connect/log?q=berta")
            #expect(log.text.contains(LogWords.words(try #require(PageLanguage(rawValue: language))).name(.userJoined)))

            let out = try await berta.enter("/connect/sign-out", ["decision": "sign-out"])
            #expect(out.headers[.location] == "/connect/sign-in?done=signed-out")
            #expect(try await berta.get("/connect/users").status == .forbidden)
            let signedIn = try await berta.enter(
                "/connect/sign-in",
                ["email": "berta@example.com", "password": Self.password, "next": "/connect/roles"])
            #expect(signedIn.headers[.location] == "/connect/roles")
            let roles = try await berta.get("/connect/roles").text
            #expect(roles.contains("<th scope=\"row\">"))
            let names = RoleWords.words(try #require(PageLanguage(rawValue: language)))
            #expect(roles.contains("<td data-column=\"\(names.support)\">"))
            #expect(roles.contains("<td class=\"refused\" data-column=\"\(names.support)\">"))
        }
    }

    @Test(
        "A page keeps the typed values but passwords, and names the problem of each field",
        arguments: ["en", "de", "fr"])
    func typed(language: String) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            var browser = ConnectBrowser(client)
            browser.language = language
            let words = FieldWords.words(try #require(PageLanguage(rawValue: language)))
            let address = try #require(try await store.service.teamSetUpAddress())
            let answer = try await browser.send(
                String(address.dropFirst(21)), ["team": "Fruit", "email": "anna", "name": "", "newPassword": "short"])
            #expect(answer.status == .badRequest)
            for value in ["value=\"Fruit\"", "value=\"anna\"", words.several, words.missing, words.malformed] {
                #expect(answer.text.contains(value), "\(value)")
            }
            #expect(answer.text.contains(words.fill(\.tooShort, ["limit": "10"])) && !answer.text.contains("short\""))
            #expect(answer.text.contains("aria-describedby=\"name-problem\""))
            // The page opens at the first field with a problem, which may be below a long list.
            let focused = answer.text.matches(of: /<[a-z]+ id="([a-z]+)"[^>]* autofocus>/).map { String($0.1) }
            #expect(focused == ["email"])

            let holder = try await store.setUpTeam()
            let user = try await ConnectBrowser(client, holder, store)
            let refused = try await user.send(
                "/connect/users",
                ["decision": "invite", "email": "no address", "role": "finance", "password": Self.password])
            #expect(refused.status == .badRequest && refused.text.contains("value=\"no address\""))
            #expect(refused.text.contains("<option value=\"finance\" selected>"))
            let wrong = try await user.send(
                "/connect/account", ["decision": "password", "password": "no", "newPassword": Self.password])
            #expect(wrong.status == .badRequest && !wrong.text.contains(Self.password))
        }
    }

    @Test("The log has the rights of a new key by their names", arguments: ["en", "de", "fr"])
    func rights(language: String) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let page = try #require(PageLanguage(rawValue: language))
            for (purpose, role) in [("in-app-purchase", ""), ("connect", "support")] {
                let made = try await browser.send(
                    "/connect/keys",
                    ["decision": "make", "name": "CI", "purpose": purpose, "role": role, "password": Self.password])
                #expect(made.status == .ok)
            }
            let log = try await browser.get("/connect/log").text
            let words = KeyWords.words(page)
            let rights = page.labelled(words.connect, RoleWords.words(page).support)
            #expect(log.contains("<bdi>\(words.inAppPurchase)</bdi>") && log.contains("<bdi>\(rights)</bdi>"))
            #expect(!log.contains("in-app-purchase"))
        }
    }

    @Test("The button of a search is behind its filters, and beside the field of one without")
    func search() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            for (path, isFiltered) in [("transactions", true), ("testers", true), ("users", false), ("log", false)] {
                let text = try await browser.get("/connect/\(path)").text
                let form = try #require(text.firstMatch(of: /<form class="search"[\s\S]*?<\/form>/)).0
                #expect(form.matches(of: /<button>/).count == 1, "\(path)")
                #expect(form.contains("<div>") != isFiltered, "\(path)")
                #expect((form.firstMatch(of: /<\/select>\n<button>/) != nil) == isFiltered, "\(path)")
            }
        }
    }

    @Test("Forms of other sites, and forms without an origin, change nothing", arguments: Engine.servers)
    func forgery(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            let form = ["decision": "name", "name": "Mallory"]
            for origin in [
                "https://evil.example", "null", "https://store.example.evil", "http://localhost", "https://localhost",
                "http://store.example", nil,
            ] {
                let answer = try await browser.send("/connect/account", form, origin: origin)
                #expect(answer.status == .forbidden, "\(origin ?? "none")")
            }
            #expect(try await store.service.teamReader.user(holder.identifier, as: holder).name == "Holder")
        }
    }

    @Test("The cookie is the host's alone, and over http only where the store is this machine's")
    func cookies() async throws {
        for (url, isSafe) in [
            ("https://store.example", true), ("http://127.0.0.1:8080", true), ("http://localhost:1", true),
            ("http://127.0.0.1.example", false), ("http://192.168.1.2:8080", false),
        ] {
            try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
                let store = try await TestStore(database, publicURL: url)
                try await store.withHTTP { client in
                    let holder = try await store.setUpTeam()
                    let answer = try await ConnectBrowser(client).send(
                        "/connect/sign-in", ["email": holder.email, "password": Self.password], origin: url)
                    let cookie = answer.headers[.setCookie] ?? ""
                    #expect((answer.status == .seeOther) == isSafe, "\(url)")
                    guard isSafe else {
                        #expect(answer.status == .forbidden && cookie.isEmpty)
                        return
                    }
                    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
                    #expect(cookie.hasPrefix("__Host-") == url.hasPrefix("https"))
                    #expect(cookie.contains("Path=/connect") != url.hasPrefix("https"))
                }
            }
        }
    }

    @Test("The sign-in leads to pages of Connect only")
    func next() {
        for text in ["", "https://evil.example", "//evil.example", "/connect/../x y", "/connectx", "/connect/sign-out"]
        {
            #expect(ConnectEntryRoutes.page(of: text) == "/connect", "\(text)")
        }
        #expect(ConnectEntryRoutes.page(of: "/connect/log?q=a%20b") == "/connect/log?q=a%20b")
    }

    @Test("Names with markup, and searches with it, are texts on every page", arguments: Engine.servers)
    func markup(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let attack = "\"><script>alert(1)</script>"
            let holder = try await store.setUpTeam()
            let user = try await ConnectBrowser(client, holder, store)
            let named = try await user.send("/connect/account", ["decision": "name", "name": attack])
            #expect(named.status == .seeOther)
            for path in [
                "users", "users/\(holder.identifier)", "log", "account", "users?q=\(attack.percentEncodedForQuery)",
            ] {
                let page = try await user.get("/connect/\(path)")
                #expect(page.status == .ok && !page.text.contains("<script"), "\(path)")
                #expect(page.text.contains("&lt;script"), "\(path)")
                #expect(page.text.utf8.count < 80_000)
            }
        }
    }

    @Test("The authenticator app is turned on by the pages, and the codes are shown once", arguments: Engine.servers)
    func codes(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            let path = "/connect/account"
            #expect(
                try await browser.send(path, ["decision": "codes-begin", "password": "wrong"]).status == .badRequest)
            let begun = try await browser.send(path, ["decision": "codes-begin", "password": Self.password])
            #expect(begun.status == .seeOther)
            let pending = try await store.service.teamReader.user(holder.identifier, as: holder).pendingSecret
            let secret = try #require(pending)
            let page = try await browser.get(path)
            #expect(page.text.contains(secret.text) && page.text.contains("otpauth://totp/"))
            #expect(!page.text.contains("<svg"), "there is no program that makes QR codes")
            let code = secret.code(step: OneTimePassword.step(at: store.clock.now))
            let shown = try await browser.send(path, ["decision": "codes-use", "code": code])
            #expect(shown.status == .ok && shown.text.matches(of: /[a-z2-9]{5}-[a-z2-9]{5}/).count >= 10)
            #expect(try await !browser.get(path).text.contains(secret.text))

            let missing = try await browser.enter(
                "/connect/sign-in", ["email": holder.email, "password": Self.password])
            #expect(missing.status == .unauthorized && missing.text.contains(holder.email))
        }
    }

    @Test("The origin of an https store is that of its address, as browsers write it")
    func origins() {
        let request = Request(
            head: .init(method: .post, scheme: "http", authority: "store:8080", path: "/"), body: .init(buffer: .init())
        )
        for address in ["https://store.example", "https://Store.example:443", "https://store.example/shop"] {
            #expect(request.isOwn(origin: "https://store.example", of: address), "\(address)")
            for origin in ["http://store:8080", "https://store:8080", "http://store.example", "null", ""] {
                #expect(!request.isOwn(origin: origin, of: address), "\(origin) of \(address)")
            }
        }
        #expect(request.isOwn(origin: "https://store.example:8443", of: "https://store.example:8443"))
        for origin in ["http://127.0.0.1:8080", "http://store:8080", "https://store:8080"] {
            #expect(request.isOwn(origin: origin, of: "http://127.0.0.1:8080"), "\(origin)")
        }
        #expect(!request.isOwn(origin: "http://evil.example", of: "http://127.0.0.1:8080"))
    }
}
