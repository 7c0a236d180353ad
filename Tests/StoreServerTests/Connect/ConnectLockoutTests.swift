// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

@testable import StoreServer

/// A stranger who knows the e-mail address of a user of Connect, and types wrong passwords.
struct ConnectLockoutTests {
    private static func form(_ password: String, _ user: TeamUser) -> [String: String] {
        ["email": user.email, "password": password]
    }

    /// Signs in, and returns the cookies that the browser sends from then on.
    private func signIn(_ browser: ConnectBrowser, _ user: TeamUser) async throws -> [String] {
        let answer = try await browser.send("/connect/sign-in", Self.form(TestStore.teamPassword, user))
        #expect(answer.status == .seeOther)
        return answer.headers[values: .setCookie].compactMap { $0.split(separator: ";").first.map(String.init) }
    }

    private func isLocked(_ answer: TestResponse) -> Bool { answer.status == .tooManyRequests }

    @Test(
        "A stranger locks out a strange browser, and neither a known one nor a user who is signed in",
        arguments: Engine.servers)
    func stranger(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var own = ConnectBrowser(client)
            let cookies = try await signIn(own, holder)
            #expect(
                cookies.map { $0.split(separator: "=")[0] } == ["__Host-connect_session", "__Host-connect_browser"])

            let stranger = ConnectBrowser(client)
            var answers: [HTTPResponse.Status] = []
            for _ in 0..<8 {
                answers.append(try await stranger.send("/connect/sign-in", Self.form("no", holder)).status)
            }
            #expect(answers.last == .tooManyRequests)
            let elsewhere = try await stranger.send("/connect/sign-in", Self.form(TestStore.teamPassword, holder))
            #expect(isLocked(elsewhere))

            // The browser that has signed in before, after its session has ended.
            own.cookie = cookies[1]
            let again = try await signIn(own, holder)
            #expect(again[1] == cookies[1], "The browser keeps its token.")
            own.cookie = again.joined(separator: "; ")
            let changed = try await own.send(
                "/connect/account",
                ["decision": "password", "password": TestStore.teamPassword, "newPassword": "another password 1"])
            #expect(changed.status == .seeOther)
            // A new password forgets the browsers, also that of a thief.
            #expect(try await store.count("team_browser") == 1)
        }
    }

    @Test("A known browser has tries of its own, and a made-up token none", arguments: Engine.servers)
    func ownTries(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var own = ConnectBrowser(client)
            own.cookie = try await signIn(own, holder)[1]
            for _ in 0..<8 { _ = try await own.send("/connect/sign-in", Self.form("no", holder)) }
            #expect(isLocked(try await own.send("/connect/sign-in", Self.form(TestStore.teamPassword, holder))))
            // The user's other browsers aren't locked out by it.
            _ = try await signIn(ConnectBrowser(client), holder)

            for token in [String(repeating: "a", count: 64), "x", String(repeating: "b", count: 5000)] {
                var other = ConnectBrowser(client)
                other.cookie = "__Host-connect_browser=\(token)"
                for _ in 0..<8 { _ = try await other.send("/connect/sign-in", Self.form("no", holder)) }
            }
            #expect(
                isLocked(
                    try await ConnectBrowser(client).send(
                        "/connect/sign-in", Self.form(TestStore.teamPassword, holder))))
        }
    }

    @Test("Twenty browsers of a user are known, and none of a removed one", arguments: Engine.servers)
    func limit(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let user = try await store.addUser(.developer, to: holder, email: "dora@example.com")
            for _ in 0..<25 { _ = try await store.service.teamSessions.know(browser: nil, of: user) }
            #expect(try await store.count("team_browser") == 20)
            try await store.service.changingUser().remove(user.identifier, by: holder)
            #expect(try await store.count("team_browser") == 0)
        }
    }
}
