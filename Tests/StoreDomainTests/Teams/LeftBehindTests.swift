// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Keys, invitations and addresses of a user of Connect who has lost the right to make them.
struct LeftBehindTests {
    /// The loss of a right.
    enum Loss: CaseIterable {
        case removed, demoted
    }

    /// The keys, links and invitations of a user.
    private struct Makings {
        var key: TeamKey
        var serverKey: TeamKey
        var keyInvitation: String
        var invitation: String
        var recovery: String
    }

    private static func make(by admin: TeamUser, for other: TeamUser, _ store: TestStore) async throws -> Makings {
        let keys = try store.service.managingTeamKeys()
        let key = try await keys.make(named: "CI", for: "connect", role: "admin", by: admin).key
        let program = try #require(key.actor)
        let inviting = try store.service.inviting()
        return Makings(
            key: key, serverKey: try await keys.make(named: "Server", for: "in-app-purchase", role: "", by: admin).key,
            keyInvitation: try await inviting(email: "k@example.com", role: "admin", language: "en", by: program),
            invitation: try await inviting(email: "i@example.com", role: "admin", language: "en", by: admin),
            recovery: try await store.service.changingUser().makeRecovery(of: other.identifier, by: admin))
    }

    @Test(
        "A user who is removed or demoted leaves no key, invitation or address", arguments: Engine.stores,
        Loss.allCases)
    func left(engine: Engine, loss: Loss) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let admin = try await store.addUser(.admin, to: holder, email: "admin@example.com")
            let other = try await store.addUser(.developer, to: holder, email: "other@example.com")
            let made = try await Self.make(by: admin, for: other, store)
            let program = try #require(made.key.actor)
            let reader = store.service.teamReader
            #expect(try await reader.users(as: program).entries.count == 3)

            switch loss {
            case .removed: try await store.service.changingUser().remove(admin.identifier, by: holder)
            case .demoted:
                try await store.service.changingUser().setRole(
                    "developer", of: admin.identifier, before: "admin", by: holder)
            }

            await #expect(throws: DomainError(.forbidden, "")) { _ = try await reader.users(as: program) }
            let keys = try await store.service.managingTeamKeys()(as: holder).keys
            #expect(keys.count == 2 && keys.allSatisfy { $0.revoked != nil })
            #expect(try await reader.invitations(as: holder).isEmpty)
            for path in [made.invitation, made.keyInvitation, made.recovery] {
                let token = TestStore.token(path)
                await #expect(throws: DomainError(.notFound, ""), "\(path)") {
                    if path.contains("recovery") {
                        _ = try await RecoveringUser(store.context).check(token)
                    } else {
                        _ = try await JoiningTeam(store.context).check(token)
                    }
                }
            }
            #expect(try await store.count("team_link") == 0)
        }
    }

    @Test("A user who is removed leaves no session, known browser or recovery code", arguments: Engine.stores)
    func signedIn(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let admin = try await store.addUser(.admin, to: holder, email: "admin@example.com")
            let own = try store.service.changingOwnUser()
            try await own.drawSecret(of: admin, present: TestStore.teamPassword)
            let pending = try await store.service.teamReader.user(admin.identifier, as: admin).pendingSecret
            let secret = try #require(pending)
            let code = secret.code(step: OneTimePassword.step(at: store.clock.now))
            let codes = try await own.useSecret(of: admin, code: code)
            let sessions = store.service.teamSessions
            let browser = try await sessions.know(browser: nil, of: admin)
            let signIn = { (code: String) in
                try await store.service.signInTeamUser(
                    email: admin.email, password: TestStore.teamPassword, code: code, from: nil, browser: browser)
            }
            _ = try await signIn(codes[0])
            _ = try await sessions(for: admin)
            let tables = ["team_session", "team_browser", "recovery_code"]
            let rows = { (table: String) in
                try await store.count(table, where: "user_id = '\(admin.identifier)'")
            }
            for table in tables { #expect(try await rows(table) > 0, "\(table)") }

            try await store.service.changingUser().remove(admin.identifier, by: holder)

            for table in tables { #expect(try await rows(table) == 0, "\(table)") }
            await #expect(throws: DomainError(.wrongPassword, "")) { _ = try await signIn(codes[1]) }
        }
    }

    @Test("A user who keeps the right keeps its keys, and a revoked key's invitations end", arguments: Engine.stores)
    func kept(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let second = try await store.addUser(.accountHolder, to: holder, email: "second@example.com")
            let other = try await store.addUser(.developer, to: holder, email: "other@example.com")
            let made = try await Self.make(by: second, for: other, store)
            try await store.service.changingUser().setRole(
                "admin", of: second.identifier, before: "account-holder", by: holder)
            #expect(try await store.service.managingTeamKeys()(as: holder).keys.allSatisfy { $0.revoked == nil })
            #expect(try await store.service.teamReader.invitations(as: holder).count == 2)

            try await store.service.managingTeamKeys().revoke(made.key.identifier, by: holder)
            #expect(try await store.service.teamReader.invitations(as: holder).map(\.email) == ["i@example.com"])
        }
    }

    @Test("A key of Connect's API makes no one-time address", arguments: Engine.stores)
    func keys(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let key = try await store.service.managingTeamKeys().make(
                named: "CI", for: "connect", role: "account-holder", by: holder)
            let program = try #require(key.key.actor)
            await #expect(throws: DomainError(.forbidden, "")) {
                _ = try await store.service.changingUser().makeRecovery(of: holder.identifier, by: program)
            }
        }
    }
}
