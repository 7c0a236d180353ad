// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The sign-in to Connect.
struct TeamSignInTests {
    private static let password = TestStore.teamPassword
    private static let wrong = DomainError(.wrongPassword, "")

    private func signIn(
        _ store: TestStore, _ email: String = "holder@example.com", _ password: String = TestStore.teamPassword,
        code: String = ""
    ) async throws -> TeamUser {
        try await store.service.signInTeamUser(email: email, password: password, code: code, from: nil)
    }

    /// Turns on the codes of a user.
    ///
    /// - Returns: The secret, and the recovery codes.
    private func useCodes(_ user: TeamUser, _ store: TestStore) async throws -> (OneTimePassword, [String]) {
        let changing = try store.service.changingOwnUser()
        try await changing.drawSecret(of: user, present: Self.password)
        let pending = try await store.service.teamReader.user(user.identifier, as: user).pendingSecret
        let secret = try #require(pending)
        let codes = try await changing.useSecret(of: user, code: code(secret, store))
        return (secret, codes)
    }

    private func code(_ secret: OneTimePassword, _ store: TestStore) -> String {
        secret.code(step: OneTimePassword.step(at: store.clock.now))
    }

    @Test("Wrong passwords are counted, also for an unknown address, and a right one ends the count")
    func throttle() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let holder = try await store.setUpTeam()
            for email in [holder.email, "unknown@example.com"] {
                for _ in 0..<5 {
                    await #expect(throws: Self.wrong) { _ = try await signIn(store, email, "wrong") }
                }
                await #expect(throws: DomainError(.throttled, "")) { _ = try await signIn(store, email) }
            }
            store.clock.advance(by: .seconds(2))
            #expect(try await signIn(store, " HOLDER@example.com") == holder)
            #expect(try await store.count("sign_in_throttle", where: "subject = 'holder@example.com'") == 0)
        }
    }

    @Test("A customer's account signs in nowhere in Connect, and a user nowhere in the store", arguments: Engine.stores)
    func separate(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let anna = try await store.addAccount()
            await #expect(throws: Self.wrong) { _ = try await signIn(store, anna.email, TestStore.password) }
            await #expect(throws: Self.wrong) {
                try await store.service.signIn(email: holder.email, password: Self.password)
            }
        }
    }

    @Test("With an authenticator app the sign-in needs a code, each once", arguments: Engine.stores)
    func codes(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let (secret, recovery) = try await useCodes(holder, store)
            #expect(Set(recovery).count == RecoveryCode.count)
            do {
                _ = try await signIn(store)
                Issue.record("The sign-in needed no code.")
            } catch let error as DomainError { #expect(error.reason == .code) }
            // The code that turned the app on was used.
            await #expect(throws: Self.wrong) { _ = try await signIn(store, code: code(secret, store)) }
            store.clock.advance(by: .seconds(60))
            let typed = code(secret, store)
            #expect(try await signIn(store, code: " \(typed.prefix(3)) \(typed.suffix(3))").usesCodes)
            await #expect(throws: Self.wrong) { _ = try await signIn(store, code: typed) }

            #expect(try await signIn(store, code: recovery[0].uppercased()).identifier == holder.identifier)
            await #expect(throws: Self.wrong) { _ = try await signIn(store, code: recovery[0]) }
            let changing = try store.service.changingOwnUser()
            #expect(try await changing.recoveryCodes(of: holder) == RecoveryCode.count - 1)
            let newer = try await changing.drawRecoveryCodes(of: holder, present: Self.password)
            await #expect(throws: Self.wrong) { _ = try await signIn(store, code: recovery[1]) }
            #expect(try await signIn(store, code: newer[0]).identifier == holder.identifier)
            try await changing.endCodes(of: holder, present: Self.password)
            #expect(try await !signIn(store).usesCodes)
            #expect(try await store.count("recovery_code") == 0)
        }
    }

    @Test("Of two sign-ins with one code at the same moment one succeeds", arguments: Engine.stores)
    func oneCodeTwice(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let holder = try await nodes.first.setUpTeam()
            let (secret, recovery) = try await useCodes(holder, nodes.first)
            nodes.first.clock.advance(by: .seconds(60))
            for code in [code(secret, nodes.first), recovery[0]] {
                let signedIn = await withTaskGroup(of: Bool.self) { group in
                    for number in 0..<4 {
                        group.addTask { (try? await signIn(nodes[number], code: code)) != nil }
                    }
                    return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(signedIn == 1)
                nodes.first.clock.advance(by: .seconds(3700))
            }
        }
    }

    @Test("Wrong codes are counted as wrong passwords", arguments: Engine.stores)
    func wrongCodes(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            _ = try await useCodes(holder, store)
            for _ in 0..<5 { await #expect(throws: Self.wrong) { _ = try await signIn(store, code: "000000") } }
            await #expect(throws: DomainError(.throttled, "")) { _ = try await signIn(store, code: "000000") }
        }
    }

    @Test("A session ends with its day, a new password, the user's removal, and a sign-out", arguments: Engine.stores)
    func sessions(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let support = try await store.addUser(.support, to: holder)
            let sessions = store.service.teamSessions
            let first = try await sessions(for: holder, browser: "One")
            let second = try await sessions(for: holder, browser: "Two")
            #expect(try await sessions.find(first)?.user == holder)
            #expect(try await sessions.list(of: holder).map(\.browser).sorted() == ["One", "Two"])
            try await sessions.close(first)
            #expect(try await sessions.find(first) == nil)
            let other = try await sessions(for: support)
            try await store.service.changingUser().remove(support.identifier, by: holder)
            #expect(try await sessions.find(other) == nil)
            await #expect(throws: TeamUser.signedOut) { _ = try await sessions(for: support) }
            let changed = try await store.service.changingOwnUser()
                .setPassword("another long password", of: holder, present: Self.password)
            #expect(try await sessions.find(second) == nil)
            let third = try await sessions(for: changed)
            store.clock.advance(by: TeamSession.lifetime)
            #expect(try await sessions.find(third) == nil)
        }
    }

    @Test("A message recovers the password and keeps the app; an admin's address ends it", arguments: Engine.stores)
    func recovery(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let mail = RecordedMail()
            let store = try await TestStore(database, mail: mail)
            let holder = try await store.setUpTeam()
            _ = try await useCodes(holder, store)
            for email in ["unknown@example.com", holder.email] {
                try await store.service.orderTeamRecovery(to: email, language: "fr")
            }
            await store.service.sendMail()
            #expect(mail.messages.map(\.recipient.text) == [holder.email])
            #expect(mail.messages[0].subject == "Votre nouveau mot de passe pour Connect")
            let token = try #require(mail.token("/connect/recovery/"))
            try await store.service.recoverTeamUser(by: token, to: "another long password", from: nil)
            do {
                _ = try await signIn(store, holder.email, "another long password")
                Issue.record("The sign-in needed no code.")
            } catch let error as DomainError { #expect(error.reason == .code) }

            let path = try await RecoveringUser(store.context).path(forUser: holder.email)
            try await store.service.recoverTeamUser(by: TestStore.token(path), to: Self.password, from: nil)
            #expect(try await !signIn(store).usesCodes)
            await #expect(throws: TeamLink.unknown) { try await store.service.checkTeamRecovery(token) }
        }
    }

    @Test("A mailed link leaves the count of wrong codes; an admin's address ends it", arguments: Engine.stores)
    func countOfCodes(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let mail = RecordedMail()
            let store = try await TestStore(database, mail: mail)
            let holder = try await store.setUpTeam()
            let (secret, _) = try await useCodes(holder, store)
            for _ in 0..<5 { await #expect(throws: Self.wrong) { _ = try await signIn(store, code: "000000") } }
            try await store.service.orderTeamRecovery(to: holder.email, language: "en")
            await store.service.sendMail()
            let token = try #require(mail.token("/connect/recovery/"))
            try await store.service.recoverTeamUser(by: token, to: "another long password", from: nil)
            await #expect(throws: DomainError(.throttled, "")) {
                _ = try await signIn(store, holder.email, "another long password", code: code(secret, store))
            }

            let path = try await RecoveringUser(store.context).path(forUser: holder.email)
            try await store.service.recoverTeamUser(by: TestStore.token(path), to: Self.password, from: nil)
            #expect(try await signIn(store).identifier == holder.identifier)
        }
    }

    @Test("A mailed link ends the count of wrong passwords of a user without codes", arguments: Engine.stores)
    func countOfPasswords(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let mail = RecordedMail()
            let store = try await TestStore(database, mail: mail)
            let holder = try await store.setUpTeam()
            for _ in 0..<5 { await #expect(throws: Self.wrong) { _ = try await signIn(store, holder.email, "no") } }
            try await store.service.orderTeamRecovery(to: holder.email, language: "en")
            await store.service.sendMail()
            let token = try #require(mail.token("/connect/recovery/"))
            try await store.service.recoverTeamUser(by: token, to: "another long password", from: nil)
            #expect(
                try await signIn(store, holder.email, "another long password").identifier == holder.identifier)
        }
    }

    @Test("A secret that waits for its first code ends with the password", arguments: Engine.stores)
    func pendingSecret(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let changing = try store.service.changingOwnUser()
            try await changing.drawSecret(of: holder, present: Self.password)
            let changed = try await changing.setPassword("another long password", of: holder, present: Self.password)
            #expect(try await store.count("team_user", where: "pending_secret IS NOT NULL") == 0)
            try await changing.drawSecret(of: changed, present: "another long password")
            let path = try await RecoveringUser(store.context).path(forUser: holder.email)
            try await store.service.recoverTeamUser(by: TestStore.token(path), to: Self.password, from: nil)
            #expect(try await store.count("team_user", where: "pending_secret IS NOT NULL") == 0)
        }
    }
}
