// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The teams of Connect: set-up, invitations, roles and the log.
struct TeamTests {
    @Test("The table of roles: account holders may do everything, and appoint others alone")
    func roles() {
        for action in TeamAction.allCases { #expect(TeamRole.accountHolder.may(action)) }
        #expect(TeamAction.appointHolders.roles == [.accountHolder])
        for role in TeamRole.allCases {
            let isManaged = role.may(.manageUsers)
            #expect(isManaged == [.accountHolder, .admin].contains(role))
            #expect(role.assignment == (role == .accountHolder ? .appointHolders : .manageUsers))
        }
    }

    @Test("A team is set up once, by one of the last addresses", arguments: Engine.stores)
    func setUp(engine: Engine) async throws {
        try await engine.withStore { store in
            let setUp = SettingUpTeam(store.context)
            var paths: [String] = []
            for _ in 0...TeamLink.setUps {
                paths.append(try #require(try await setUp.path()))
                store.clock.advance(by: .seconds(1))
            }
            let tokens = paths.map(TestStore.token)
            await #expect(throws: TeamLink.unknown) { try await setUp.check(tokens[0]) }
            #expect(try await store.count("team_link") == TeamLink.setUps)
            let new = NewUser(email: " Anna@Example.com ", name: "Anna", password: TestStore.teamPassword)

            let anna = try await setUp(tokens[1], teamName: "Fruit", user: new, from: nil)

            #expect(anna.email == "anna@example.com" && anna.role == .accountHolder && anna.team == Team.ofTheStore)
            #expect(try await store.count("team_link") == 0)
            #expect(try await setUp.path() == nil)
            await #expect(throws: TeamLink.unknown) { try await setUp(tokens[2], teamName: "X", user: new, from: nil) }
            let log = try await store.service.teamReader.changes(as: anna).entries
            #expect(log.map(\.kind) == [.teamSetUp] && log.first?.user == anna.email)
        }
    }

    @Test("Values that can't be saved are named with their fields, and change nothing", arguments: Engine.stores)
    func problems(engine: Engine) async throws {
        try await engine.withStore { store in
            let setUp = SettingUpTeam(store.context)
            let token = TestStore.token(try #require(try await setUp.path()))
            let long = String(repeating: "x", count: 101)
            let wrong = NewUser(email: "anna", name: "A\u{0}", password: "short")
            do {
                _ = try await setUp(token, teamName: long, user: wrong, from: nil)
                Issue.record("The values were saved.")
            } catch let error as InvalidFields {
                #expect(
                    error.problems.map { "\($0.field) \($0.kind.rawValue)" } == [
                        "team too-long", "email malformed", "newPassword too-short", "name malformed",
                    ])
            }
            #expect(try await store.count("team_user") == 0)
            #expect(try await store.count("team") == 0)
        }
    }

    @Test("An invited person joins once with the role of the invitation", arguments: Engine.stores)
    func invitation(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let invite = try store.service.inviting()
            let first = try await invite(email: "B@example.com", role: "support", language: "de", by: holder)
            let second = try await invite(email: "b@example.com", role: "developer", language: "de", by: holder)
            let new = NewUser(name: "Berta", password: TestStore.teamPassword)
            await #expect(throws: TeamLink.unknown) {
                try await store.service.joinTeam(by: TestStore.token(first), user: new, from: nil)
            }

            let berta = try await store.service.joinTeam(by: TestStore.token(second), user: new, from: nil)

            #expect(berta.role == .developer && berta.email == "b@example.com" && berta.team == holder.team)
            await #expect(throws: TeamLink.unknown) {
                try await store.service.joinTeam(by: TestStore.token(second), user: new, from: nil)
            }
            await #expect(throws: InvalidFields(problems: [.init(field: "email", kind: .taken)])) {
                try await invite(email: berta.email, role: "support", language: "en", by: holder)
            }
            let revoked = try await invite(email: "c@example.com", role: "admin", language: "en", by: holder)
            try await invite.revoke("c@example.com", by: holder)
            await #expect(throws: TeamLink.unknown) {
                try await store.service.joinTeam(by: TestStore.token(revoked), user: new, from: nil)
            }
            store.clock.advance(days: 1)
            let expired = try await invite(email: "d@example.com", role: "admin", language: "en", by: holder)
            store.clock.advance(days: 7)
            await #expect(throws: TeamLink.unknown) {
                try await store.service.joinTeam(by: TestStore.token(expired), user: new, from: nil)
            }
            #expect(try await store.service.teamReader.invitations(as: holder).isEmpty)
        }
    }

    @Test("The last account holder stays, also when two of them go at the same moment", arguments: Engine.stores)
    func lastHolder(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            let anna = try await store.setUpTeam()
            let changing = try store.service.changingUser()
            await #expect(throws: DomainError(.invalid, "")) { try await changing.remove(anna.identifier, by: anna) }
            await #expect(throws: DomainError(.invalid, "")) {
                try await changing.setRole("admin", of: anna.identifier, before: "account-holder", by: anna)
            }
            let berta = try await store.addUser(.accountHolder, to: anna, email: "berta@example.com")

            async let one: Void = allowingRefusal {
                try await nodes.first.service.changingUser().remove(berta.identifier, by: anna)
            }
            async let other: Void = allowingRefusal {
                try await nodes.second.service.changingUser()
                    .setRole("support", of: anna.identifier, before: "account-holder", by: berta)
            }
            _ = try await (one, other)

            #expect(try await store.count("team_user", where: "role = 'account-holder'") == 1)
        }
    }

    @Test("A role that changed since the page was opened isn't overwritten", arguments: Engine.stores)
    func changedMeanwhile(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let admin = try await store.addUser(.admin, to: holder)
            let dora = try await store.addUser(.developer, to: holder)
            let changing = try store.service.changingUser()
            try await changing.setRole("marketing", of: dora.identifier, before: "developer", by: admin)
            await #expect(throws: DomainError.changed) {
                try await changing.setRole("support", of: dora.identifier, before: "developer", by: holder)
            }
            // An admin who isn't one any more changes nothing.
            try await changing.setRole("finance", of: admin.identifier, before: "admin", by: holder)
            await #expect(throws: DomainError(.forbidden, "")) {
                try await changing.setRole("support", of: dora.identifier, before: "marketing", by: admin)
            }
            #expect(try await store.service.teamReader.user(dora.identifier, as: holder).role == .marketing)
            let log = try await store.service.teamReader.changes(containing: "MARKETING dora", as: holder)
            #expect(log.entries.isEmpty)
            let found = try await store.service.teamReader.changes(containing: "marketing developer@", as: holder)
            let texts = found.entries.map { "\($0.user) \($0.before) \($0.after)" }
            #expect(texts == ["\(admin.email) developer marketing"])
        }
    }

    @Test("An admin neither makes nor removes account holders", arguments: Engine.stores)
    func admins(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let admin = try await store.addUser(.admin, to: holder)
            let (changing, invite) = (try store.service.changingUser(), try store.service.inviting())
            let refused = DomainError(.forbidden, "")
            _ = try await invite(email: "h@example.com", role: "account-holder", language: "en", by: holder)
            await #expect(throws: refused) { try await changing.remove(holder.identifier, by: admin) }
            await #expect(throws: refused) { try await changing.makeRecovery(of: holder.identifier, by: admin) }
            await #expect(throws: refused) {
                try await changing.setRole("account-holder", of: admin.identifier, before: "admin", by: admin)
            }
            await #expect(throws: refused) {
                try await invite(email: "x@example.com", role: "account-holder", language: "en", by: admin)
            }
            await #expect(throws: refused) {
                try await invite(email: "h@example.com", role: "support", language: "en", by: admin)
            }
            await #expect(throws: refused) { try await invite.revoke("h@example.com", by: admin) }
            #expect(try await store.count("team_invitation", where: "role = 'account-holder'") == 1)
        }
    }

    @Test("The log is read in pages, and a search continues where it stopped", arguments: Engine.stores)
    func log(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.context.write(.team(holder.team)) { db in
                for number in 1...120 {
                    try TeamChange.append(
                        .userName, of: number == 3 ? "needle" : "hay", to: "\(number)", by: holder.email,
                        in: holder.team, db)
                }
            }
            let reader = store.service.teamReader
            var numbers: [Int64] = []
            var place: Int64? = .max
            while let before = place {
                let page = try await reader.changes(before: before, as: holder)
                numbers += page.entries.map(\.number)
                place = page.next
            }
            #expect(numbers == (1...121).reversed().map(Int64.init))
            let found = try await reader.changes(containing: "NEEDLE", as: holder)
            #expect(found.entries.map(\.after) == ["3"] && found.next == nil)
        }
    }

    @Test("Writes that run twice make one user, one link and one entry of the log", arguments: Engine.stores)
    func twice(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(Forgetful(database))
            let holder = try await store.setUpTeam()
            let admin = try await store.addUser(.admin, to: holder)
            try await store.service.changingUser().setRole("support", of: admin.identifier, before: "admin", by: holder)
            let path = try await store.service.changingUser().makeRecovery(of: admin.identifier, by: holder)
            try await store.service.recoverTeamUser(
                by: TestStore.token(path), to: "another long password", from: nil)
            let changed = try await store.service.changingOwnUser()
                .setPassword("a third long password", of: holder, present: TestStore.teamPassword)

            #expect(changed.passwordNumber == 1)
            let kinds = try await store.service.teamReader.changes(as: changed).entries.map(\.kind)
            #expect(
                kinds == [
                    .passwordChanged, .recovered, .recoveryMade, .userRole, .userJoined, .userInvited, .teamSetUp,
                ])
            #expect(try await store.count("team_user") == 2)
        }
    }

    @Test("Users choose a new password by the present one, not by a link of their own", arguments: Engine.stores)
    func ownRecovery(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let admin = try await store.addUser(.admin, to: holder)
            let changing = try store.service.changingUser()
            for user in [holder, admin] {
                await #expect(throws: DomainError(.forbidden, "")) {
                    _ = try await changing.makeRecovery(of: user.identifier, by: user)
                }
            }
            #expect(try await store.count("team_link") == 0)
            _ = try await changing.makeRecovery(of: admin.identifier, by: holder)
        }
    }

    @Test("Changes that end their own condition succeed when they run twice", arguments: Engine.stores)
    func twiceEnded(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(Forgetful(database))
            let holder = try await store.setUpTeam()
            let support = try await store.addUser(.support, to: holder)
            let (changing, invite) = (try store.service.changingUser(), try store.service.inviting())
            _ = try await invite(email: "x@example.com", role: "support", language: "en", by: holder)
            try await invite.revoke("x@example.com", by: holder)
            await #expect(throws: DomainError(.notFound, "")) { try await invite.revoke("x@example.com", by: holder) }
            try await changing.remove(support.identifier, by: holder)
            await #expect(throws: TeamUser.unknown) { try await changing.remove(support.identifier, by: holder) }
            let sessions = store.service.teamSessions
            _ = try await sessions(for: holder)
            let session = try #require(try await sessions.list(of: holder).first)
            try await sessions.end(session.identifier, of: holder)
            await #expect(throws: DomainError(.notFound, "")) {
                try await sessions.end(session.identifier, of: holder)
            }
            // Users may also end their own right to manage users.
            let berta = try await store.addUser(.accountHolder, to: holder, email: "berta@example.com")
            try await changing.setRole("admin", of: berta.identifier, before: "account-holder", by: berta)
            let admin = try await store.service.teamReader.user(berta.identifier, as: holder)
            try await changing.setRole("support", of: admin.identifier, before: "admin", by: admin)
            let other = try await store.addUser(.admin, to: holder)
            try await changing.remove(other.identifier, by: other)

            let kinds = try await store.service.teamReader.changes(as: holder).entries.map(\.kind)
            #expect(
                kinds == [
                    .userRemoved, .userJoined, .userInvited, .userRole, .userRole, .userJoined, .userInvited,
                    .userRemoved, .invitationRevoked, .userInvited, .userJoined, .userInvited, .teamSetUp,
                ])
        }
    }

    @Test("The recovery codes are those of the first run when the app is turned on twice", arguments: Engine.stores)
    func twiceCodes(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(Forgetful(database))
            let holder = try await store.setUpTeam()
            let own = try store.service.changingOwnUser()
            try await own.drawSecret(of: holder, present: TestStore.teamPassword)
            let pending = try await store.service.teamReader.user(holder.identifier, as: holder).pendingSecret
            let secret = try #require(pending)
            let code = secret.code(step: OneTimePassword.step(at: store.clock.now))
            let codes = try await own.useSecret(of: holder, code: code)

            #expect(codes.count == RecoveryCode.count)
            #expect(try await store.count("recovery_code") == RecoveryCode.count)
            #expect(try await store.count("team_change", where: "kind = 'codes-on'") == 1)
            let hashes = codes.map { "'\(RecoveryCode(text: $0).hash)'" }.joined(separator: ", ")
            #expect(try await store.count("recovery_code", where: "code_hash IN (\(hashes))") == codes.count)
            let newer = try await own.drawRecoveryCodes(of: holder, present: TestStore.teamPassword)
            #expect(try await store.count("recovery_code") == newer.count && Set(newer).isDisjoint(with: codes))
            #expect(try await store.count("team_change", where: "kind = 'recovery-codes'") == 1)
            await #expect(throws: DomainError(.invalid, "")) { _ = try await own.useSecret(of: holder, code: code) }
        }
    }

    @Test("A full team invites no user, and has at most its number of open invitations", arguments: Engine.stores)
    func full(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let invite = try store.service.inviting()
            func refusal(_ email: String) async -> DomainError? {
                await #expect(throws: DomainError.self) {
                    _ = try await invite(email: email, role: "support", language: "en", by: holder)
                }
            }
            for number in 0..<Team.invitations {
                _ = try await invite(email: "i\(number)@example.com", role: "support", language: "en", by: holder)
            }
            #expect(await refusal("new@example.com")?.reason == .teamFull)
            _ = try await invite(email: "i0@example.com", role: "developer", language: "en", by: holder)
            for number in 0..<Team.invitations { try await invite.revoke("i\(number)@example.com", by: holder) }
            try await store.context.write(.team(holder.team)) { db in
                for number in 1..<Team.users {
                    try TeamUser(
                        identifier: TeamUserIdentifier("u\(number)"), team: holder.team,
                        email: "u\(number)@example.com", name: "User", role: .support, joined: db.now
                    ).insert(passwordHash: .ofNobody(by: store.context.hashing), db)
                }
            }
            #expect(await refusal("new@example.com")?.reason == .teamFull)
            #expect(try await store.count("team_invitation") == 0)
            try await store.service.changingUser().remove("u1", by: holder)
            _ = try await invite(email: "new@example.com", role: "support", language: "en", by: holder)
        }
    }
}
