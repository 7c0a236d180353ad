// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreServer
import StoreService
import StoreTestSupport
import Testing

/// Attacks on the session of a browser and on the address of a sheet.
struct SessionAttackTests {
    private static let password = TestStore.password.replacing(" ", with: "+")

    @Test("A token that another person has planted in a browser isn't its session later", arguments: Engine.servers)
    func fixation(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let mallory = try await store.addAccount("mallory@example.com")
            let own = try await store.service.openSheetSession(for: mallory)
            for planted in [String(repeating: "a", count: 64), own] {
                let cookie = "__Host-store_session=\(planted)"
                let headers: HTTPFields = [.cookie: cookie, .origin: "https://store.example"]

                let signedIn = try await client.post(
                    "/account/sessions", "email=\(anna.email)&password=\(Self.password)&decision=show",
                    headers: headers)

                #expect(signedIn.status == .ok && signedIn.text.contains(anna.email))
                #expect(try #require(signedIn.headers[.setCookie]).contains(planted) == false)
                let attack = try await client.get("/account/sessions", headers: headers)
                #expect(!attack.text.contains(anna.email))
            }
        }
    }

    @Test("No script, no other site and no unencrypted connection gets the session's cookie", arguments: Engine.servers)
    func cookie(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let signedIn = try await client.post(
                "/account/sessions", "email=\(anna.email)&password=\(Self.password)&decision=show")
            let cookie = try #require(signedIn.headers[.setCookie])
            for part in ["HttpOnly", "Secure", "SameSite=Strict", "Path=/"] { #expect(cookie.contains("; \(part)")) }
            #expect(cookie.hasPrefix("__Host-") && !cookie.contains("Domain"))
        }
    }

    @Test("A sheet's address buys the payment of its own device, and nothing of another one", arguments: Engine.servers)
    func otherDevice(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let (phone, other) = (try await store.addDevice(1), try await store.addDevice(2))
            // The two apps have given their payments the same identifier.
            let theirs = try other.token(try await other.ask("pear", request: "r").sheet)
            let sheet = try phone.token(try await phone.ask("apple", request: "r").sheet)
            #expect(sheet != theirs)

            let bought = try await client.post(
                "/sheet/\(sheet)", "email=\(anna.email)&password=\(Self.password)&decision=buy", headers: .script)

            #expect(bought.status == .ok)
            #expect(try await phone.queue().map(\.productIdentifier) == ["apple"])
            #expect(try await other.ask("pear", request: "r").status == .authorise)
            #expect(try await store.ledger() == [990])
        }
    }
}
