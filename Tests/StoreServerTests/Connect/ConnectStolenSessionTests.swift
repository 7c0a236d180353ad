// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A stolen session of an account holder: the thief lacks the password.
struct ConnectStolenSessionTests {
    /// The forms that open a door.
    private static func doors(of user: TeamUser) -> [(path: String, form: [String: String])] {
        let page = "/connect/users/\(user.identifier)"
        return [
            ("/connect/keys", ["decision": "make", "name": "CI", "purpose": "connect", "role": "admin"]),
            ("/connect/users", ["decision": "invite", "email": "eve@example.com", "role": "admin"]),
            (page, ["decision": "role", "role": "admin", "before": "developer"]),
            (page, ["decision": "recover"]),
        ]
    }

    /// The keys, links and admins of the team.
    private func makings(_ store: TestStore) async throws -> [Int] {
        [
            try await store.count("team_key"), try await store.count("team_link"),
            try await store.count("team_user", where: "role = 'admin'"),
        ]
    }

    @Test(
        "A session makes no key, invitation or one-time address, and gives no role, without the password",
        arguments: Engine.servers)
    func doors(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let user = try await store.addUser(.developer, to: holder, email: "dora@example.com")
            let thief = try await ConnectBrowser(client, holder, store)
            let before = try await makings(store)
            for (path, form) in Self.doors(of: user) {
                for password in ["", "no"] {
                    let answer = try await thief.send(path, form.merging(["password": password]) { $1 })
                    #expect(answer.status == .badRequest, "\(path) \(form) \(password)")
                }
                #expect(try await thief.send(path, form).status == .badRequest, "\(path) \(form)")
                #expect(try await makings(store) == before, "\(path) \(form)")
                store.clock.advance(by: .seconds(3600))
            }
            // The user's own browser knows the password.
            for (path, form) in Self.doors(of: user) {
                let own = form.merging(["password": TestStore.teamPassword]) { $1 }
                #expect(try await thief.send(path, own).status.code < 400, "\(path) \(form)")
            }
            #expect(try await makings(store) == [before[0] + 1, before[1] + 2, before[2] + 1])
        }
    }
}
