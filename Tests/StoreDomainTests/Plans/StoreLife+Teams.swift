// SPDX-License-Identifier: Apache-2.0

import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

extension StoreLife {
    /// A team of Connect is set up, and its users change themselves and one
    /// another.
    func runTeam() async throws {
        for _ in 0...TeamLink.setUps { _ = try await SettingUpTeam(store.context).path() }
        let holder = try await store.setUpTeam()
        let admin = try await store.addUser(.admin, to: holder)
        let (service, reader) = (store.service, store.service.teamReader)
        let changing = try service.changingUser()
        try await changing.setRole("developer", of: admin.identifier, before: "admin", by: holder)
        try await changing.setRole("admin", of: admin.identifier, before: "developer", by: holder)
        let path = try await changing.makeRecovery(of: admin.identifier, by: holder)
        try await service.recoverTeamUser(by: TestStore.token(path), to: TestStore.teamPassword, from: nil)
        try await register(as: holder)
        try await sign(as: holder)
        try await seePurchases(as: holder)
        try await manageTesters(as: holder)
        try await useKeys(holder)
        try await mailTeam(holder)
        let user = try await changeOwn(holder)
        try await signIn(user)
        #expect(try await ListingTeams(store.context)().map(\.users) == [2])
        _ = try await reader.users(as: user)
        _ = try await reader.invitations(as: user)
        _ = try await reader.changes(containing: "admin", as: user)
        try await changing.remove(admin.identifier, by: user)
    }

    /// Keys are made, used and revoked.
    private func useKeys(_ holder: TeamUser) async throws {
        let keys = try store.service.managingTeamKeys()
        let made = try await keys.make(named: "CI", for: "connect", role: "admin", by: holder)
        let seller = try TestSeller(made)
        let actor = try await store.service.authenticateConnect(
            authorization: try seller.authorization(at: store.clock.now), for: "GET /connect/v1/apps"
        ).user
        let server = try await keys.make(named: "Server", for: "in-app-purchase", role: "", by: actor)
        _ = try await store.service.authenticateServer(
            authorization: try TestSeller(server).authorization(at: store.clock.now))
        try await keys.revoke(server.key.identifier, by: actor)
        let ofFile = InAppPurchaseKey(
            identifier: "OFFILE", bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier),
            name: "Fruit.storekit",
            publicKey: try InAppPurchaseKey.Pair(store.context.random).publicKey, created: store.clock.now)
        try await store.context.write(.team(holder.team)) { db in try ofFile.insert(db) }
        for key in try await keys.ofFiles(as: holder) where key.identifier == ofFile.identifier {
            try await keys.revoke(key.identifier, ofFileOf: BundleIdentifier(TestStore.bundleIdentifier), by: holder)
        }
        #expect(try await keys(as: actor).keys.count == 2)
        let rows = try await store.context.read { db in try TeamKey.all(of: holder.team, db) }
        try await store.context.write(.team(holder.team)) { db in try rows.last?.delete(db) }
    }

    /// Messages of an invitation that is revoked, and of a forgotten password.
    private func mailTeam(_ holder: TeamUser) async throws {
        let mail = RecordedMail()
        var context = store.context
        context.mail = mail
        let invite = InvitingUser(context)
        _ = try await invite(email: "x@example.com", role: "support", language: "de", by: holder)
        try await OrderingMail(context).forgotten(userOfConnect: holder.email, language: "en")
        try await SendingMail(context)(publicURL: "https://store.example") { Issue.record("\($0)") }
        #expect(mail.messages.count == 2)
        try await invite.revoke("x@example.com", by: holder)
    }

    private func changeOwn(_ holder: TeamUser) async throws -> TeamUser {
        let own = try store.service.changingOwnUser()
        try await own.setName("Hilda", of: holder)
        let user = try await own.setPassword(
            "another long password", of: holder, present: TestStore.teamPassword)
        try await own.drawSecret(of: user, present: "another long password")
        try await own.forgetSecret(of: user)
        try await own.drawSecret(of: user, present: "another long password")
        let pending = try await store.service.teamReader.user(user.identifier, as: user).pendingSecret
        let secret = try #require(pending)
        _ = try await own.useSecret(of: user, code: secret.code(step: OneTimePassword.step(at: store.clock.now)))
        _ = try await own.recoveryCodes(of: user)
        let codes = try await own.drawRecoveryCodes(of: user, present: "another long password")
        store.clock.advance(by: .seconds(60))
        let browser = try await store.service.teamSessions.know(browser: nil, of: user)
        for code in [codes[0], secret.code(step: OneTimePassword.step(at: store.clock.now))] {
            _ = try await store.service.signInTeamUser(
                email: user.email, password: "another long password", code: code, from: nil, browser: browser)
        }
        try await own.endCodes(of: user, present: "another long password")
        return user
    }

    private func signIn(_ user: TeamUser) async throws {
        let sessions = store.service.teamSessions
        let token = try await sessions(for: user)
        _ = try await sessions(for: user, replacing: token)
        let other = try await sessions(for: user)
        store.clock.advance(by: .seconds(600))
        _ = try await sessions.find(other)
        for session in try await sessions.list(of: user).prefix(1) {
            try await sessions.endOthers(than: session, of: user)
            try await sessions.end(session.identifier, of: user)
        }
        try await sessions.close(other)
    }
}
