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

/// The page `/account/family`, on which parents answer requests to buy.
struct FamilyPageTests {
    private static let path = "/account/family"
    private static let password = TestStore.password.replacing(" ", with: "+")

    /// A parent with a password, and a child with a phone and a request.
    private struct Home {
        let store: TestStore
        let olga: Account
        let carl: Account
        let phone: TestDevice
        let number: String
    }

    private func withHome(
        _ engine: Engine, _ body: @Sendable @escaping (Home, any TestClientProtocol) async throws -> Void
    ) async throws {
        try await engine.withHTTP { store, client in
            let olga = try await store.addAccount("olga@example.com")
            let carl = try await store.addAccount("carl@example.com")
            let phone = try await store.addDevice()
            let answer = try await phone.call(
                ReceiptCall(
                    requestIdentifier: "sign-in", bundleIdentifier: TestStore.bundleIdentifier,
                    applicationVersion: "1", mayAskToSignIn: true))
            try await store.service.signIn(onSheet: try phone.token(answer.sheet), as: carl)
            _ = try await ChangingFamily(store.context).begin(organiser: olga.email)
            _ = try await ChangingFamily(store.context).add(carl.email, as: .child, organiser: olga.email)
            _ = try await phone.ask("apple", request: "r1")
            let number = try await store.onlyUndecided()
            try await body(
                Home(store: store, olga: olga, carl: carl, phone: phone, number: number.rawValue), client)
        }
    }

    private static func form(_ email: String, _ rest: String) -> String {
        "email=\(email)&password=\(password)&\(rest)"
    }

    @Test(
        "An organiser begins a family on the page, and adds a member who types the own password",
        arguments: Engine.servers)
    func begin(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let olga = try await store.addAccount("olga@example.com")
            let carl = try await store.addAccount("carl@example.com")
            func send(_ rest: String) async throws -> TestResponse {
                try await client.post(Self.path, Self.form(olga.email, rest))
            }
            let bare = "email=\(olga.email)&decision=begin"
            #expect(try await client.post(Self.path, bare).status == .unauthorized)
            let empty = try await send("decision=show")
            #expect(empty.text.contains("value=\"begin\"") && !empty.text.contains("value=\"add\""))
            for _ in 0..<2 {
                let begun = try await send("decision=begin")
                #expect(begun.status == .ok && begun.text.contains("The family has begun."))
                #expect(begun.text.contains("value=\"add\""))
            }
            let add = "decision=add&member=\(carl.email)&role=child&memberPassword="
            let wrong = try await send(add + "no")
            #expect(wrong.status == .unauthorized)
            #expect(wrong.text.contains("value=\"\(carl.email)\" placeholder"), "the typed address stays in its field")
            #expect(try await send("decision=add&member=\(carl.email)&role=organiser").status == .badRequest)
            let added = try await send(add + Self.password)
            #expect(added.text.contains("<bdi>\(carl.email)</bdi>: child"))
            // A child sees no form, and a member of this family can begin none.
            let child = try await client.post(Self.path, Self.form(carl.email, "decision=show"))
            #expect(!child.text.contains("value=\"begin\"") && !child.text.contains("value=\"add\""))
            #expect(try await client.post(Self.path, Self.form(carl.email, "decision=begin")).status == .badRequest)
            #expect(try await store.service.account(carl.email).has(.asksToBuy))

            // Who asks before each purchase, by the operator's decision, neither begins a family nor becomes an adult.
            let dora = try await store.addAccount("dora@example.com")
            _ = try await store.service.change(account: dora.email, .init(switches: [.asksToBuy: true]))
            #expect(try await client.post(Self.path, Self.form(dora.email, "decision=begin")).status == .badRequest)
            let adult = "decision=add&member=\(dora.email)&role=adult&memberPassword=\(Self.password)"
            #expect(try await send(adult).status == .badRequest)
            #expect(try await store.service.account(dora.email).has(.asksToBuy))
        }
    }

    @Test("A parent sees the product, its price and the child, and approves", arguments: Engine.servers)
    func approve(engine: Engine) async throws {
        try await withHome(engine) { home, client in
            let empty = try await client.get(Self.path)
            #expect(empty.status == .ok && empty.text.contains("sign-in-form"))
            #expect(!empty.text.contains(home.number))

            let list = try await client.post(Self.path, Self.form(home.olga.email, "decision=show"))
            for text in [
                "Apple", "Fruit", "carl@example.com", "Approve and pay $0.99", "value=\"990 USD\"", home.number,
            ] {
                #expect(list.text.contains(text), "\(text)")
            }
            let page = try await client.post(
                Self.path, Self.form(home.olga.email, "decision=approve&request=\(home.number)&shown=990+USD"))

            #expect(page.status == .ok && page.text.contains("the purchase is made"))
            #expect(page.text.contains("No request waits for your answer."))
            #expect(try await home.phone.ask("apple", request: "r1").status == .purchased)
            #expect(try await home.store.ledger() == [990])
        }
    }

    @Test(
        "An approval needs the password also in a browser with a session, a refusal doesn't", arguments: Engine.servers)
    func session(engine: Engine) async throws {
        try await withHome(engine) { home, client in
            let list = try await client.post(Self.path, Self.form(home.olga.email, "decision=show"))
            let cookie = String(try #require(list.headers[.setCookie]).prefix { $0 != ";" })
            var headers = HTTPFields.script.merging(cookie: cookie, site: "same-origin")
            headers[.origin] = "https://store.example"

            let approval = try await client.post(
                Self.path, "decision=approve&request=\(home.number)", headers: headers)
            #expect(approval.status == .unauthorized)
            #expect(try await home.phone.ask("apple", request: "r1").status == .deferred)
            let refusal = try await client.post(
                Self.path, "decision=decline&request=\(home.number)", headers: headers)
            #expect(refusal.status == .ok)
            #expect(try await home.phone.ask("apple", request: "r1").status == .failed)
        }
    }

    @Test("A form of another site is refused, with the session and with the password", arguments: Engine.servers)
    func crossSite(engine: Engine) async throws {
        try await withHome(engine) { home, client in
            let list = try await client.post(Self.path, Self.form(home.olga.email, "decision=show"))
            let cookie = String(try #require(list.headers[.setCookie]).prefix { $0 != ";" })
            let headers = HTTPFields.script.merging(cookie: cookie, site: "cross-site")

            for body in [
                "decision=decline&request=\(home.number)",
                Self.form(home.olga.email, "decision=approve&request=\(home.number)"),
            ] {
                let answer = try await client.post(Self.path, body, headers: headers)
                #expect(answer.status == .forbidden)
            }
            #expect(try await home.phone.ask("apple", request: "r1").status == .deferred)
        }
    }

    @Test("A child sees no request, and can't approve with its own password", arguments: Engine.servers)
    func child(engine: Engine) async throws {
        try await withHome(engine) { home, client in
            let list = try await client.post(Self.path, Self.form(home.carl.email, "decision=show"))
            #expect(list.text.contains("The organiser and the parents") && !list.text.contains(home.number))

            let page = try await client.post(
                Self.path, Self.form(home.carl.email, "decision=approve&request=\(home.number)&shown=990+USD"))
            #expect(page.status == .notFound)
            let wrong = try await client.post(
                Self.path, "email=olga@example.com&password=guess&decision=approve&request=\(home.number)")
            #expect(wrong.status == .unauthorized)
            #expect(try await home.phone.ask("apple", request: "r1").status == .deferred)
        }
    }

    @Test("After a change of the price the page is shown again with the new one", arguments: Engine.servers)
    func price(engine: Engine) async throws {
        try await withHome(engine) { home, client in
            try await home.store.service.setPrice(
                product: "apple", of: BundleIdentifier(TestStore.bundleIdentifier), in: nil, to: "1.49")

            let page = try await client.post(
                Self.path, Self.form(home.olga.email, "decision=approve&request=\(home.number)&shown=990+USD"))

            #expect(page.status == .conflict && page.text.contains("value=\"1490 USD\""))
            #expect(try await home.store.ledger() == [])
        }
    }

    @Test("Scripts get the requests in JSON, and wrong forms a refusal", arguments: Engine.servers)
    func json(engine: Engine) async throws {
        try await withHome(engine) { home, client in
            let list = try await client.post(
                Self.path, Self.form(home.olga.email, "decision=show"), headers: .script)
            let object = try list.object()
            let request = try #require((object["requests"] as? [[String: Any]])?.first)
            #expect(request["request"] as? String == home.number && request["shown"] as? String == "990 USD")
            #expect((object["members"] as? [[String: Any]])?.count == 2)

            #expect(try await client.get(Self.path, headers: .script).status == .unauthorized)
            for (form, status) in [
                ("decision=sell&request=1", HTTPResponse.Status.badRequest),
                ("decision=approve&request=1&shown=990+USD", .notFound),
                ("decision=approve&request=\(home.number)&shown=x", .badRequest),
            ] {
                let answer = try await client.post(Self.path, Self.form(home.olga.email, form), headers: .script)
                #expect(answer.status == status, "\(form)")
            }
        }
    }

    @Test("The remote control makes and ends families", arguments: Engine.servers)
    func control(engine: Engine) async throws {
        try await engine.withControl { store, client in
            for name in ["olga", "carl"] { _ = try await store.addAccount("\(name)@example.com") }
            func call(_ verb: String, _ body: String) async throws -> TestResponse {
                try await client.post("/control/v1/\(verb)", body, headers: .control)
            }
            let (olga, carl) = ("{\"email\":\"olga@example.com\"}", "{\"email\":\"carl@example.com\"}")
            #expect(try await call("family", olga).status == .notFound)
            _ = try await call("begin-family", olga)
            let child = "{\"email\":\"carl@example.com\",\"role\":\"child\",\"organiser\":\"olga@example.com\"}"
            let family = try await call("add-family-member", child)
            let members = try #require(try family.object()["members"] as? [[String: Any]])
            #expect(members.compactMap { $0["role"] as? String } == ["organiser", "child"])
            let unknown = "{\"email\":\"carl@example.com\",\"role\":\"aunt\"}"
            #expect(try await call("set-family-role", unknown).status == .badRequest)
            #expect(
                try await call("add-family-member", "{\"email\":\"carl@example.com\",\"role\":\"child\"}").status
                    == .badRequest)
            #expect(
                try await call("set-family-role", "{\"email\":\"carl@example.com\",\"role\":\"adult\"}").status == .ok)
            #expect(try await call("remove-family-member", carl).status == .ok)
            #expect(try await call("end-family", olga).status == .ok)
            #expect(try await call("family", olga).status == .notFound)
        }
    }
}
