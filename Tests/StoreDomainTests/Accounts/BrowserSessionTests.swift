// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The sessions of customers in browsers, and new passwords.
struct BrowserSessionTests {
    @Test("A browser is known for thirty days, and spares the password for 15 minutes", arguments: Engine.stores)
    func lifetime(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let token = try await store.service.openSheetSession(for: anna, browser: "Firefox\u{7} on Linux")

            store.clock.advance(by: .seconds(15 * 60))
            let later = try #require(try await store.service.browserSession(token))
            #expect(!later.session.isFresh && later.account == anna)
            #expect(later.session.browser == "Firefox on Linux")
            #expect(try await store.service.sheetSession(token) == nil)
            let seen = try #require(try await store.service.browserSession(token)).session.seen
            #expect(seen == store.clock.now)

            store.clock.advance(by: BrowserSession.lifetime - .seconds(15 * 60))
            #expect(try await store.service.browserSession(token) == nil)
            #expect(try await store.service.sessions(of: anna).isEmpty)
        }
    }

    @Test("A browser in which the password is typed again has one session, under a new token", arguments: Engine.stores)
    func replaced(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let berta = try await store.addAccount("berta@example.com")
            let first = try await store.service.openSheetSession(for: anna)
            let opened = store.clock.now
            store.clock.advance(by: .seconds(3600))

            let second = try await store.service.openSheetSession(for: anna, replacing: first)
            let other = try await store.service.openSheetSession(for: berta, replacing: second)

            #expect(first != second)
            #expect(try await store.service.browserSession(first) == nil)
            #expect(try await store.service.sessions(of: anna).map(\.opened) == [opened])
            #expect(try await store.service.sheetSession(second) == anna)
            #expect(try await store.service.sheetSession(other) == berta)
        }
    }

    @Test("A customer ends one session, but none of another account, and then all", arguments: Engine.stores)
    func ending(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let berta = try await store.addAccount("berta@example.com")
            let (home, work) = (
                try await store.service.openSheetSession(for: anna),
                try await store.service.openSheetSession(for: anna)
            )
            let others = try await store.service.openSheetSession(for: berta)
            let identifier = try #require(try await store.service.browserSession(home)).session.identifier

            await #expect(throws: DomainError(.notFound, "")) {
                try await store.service.endSession(identifier, of: berta)
            }
            try await store.service.endSession(identifier, of: anna)
            #expect(try await store.service.sheetSession(home) == nil)
            #expect(try await store.service.sheetSession(work) == anna)
            await #expect(throws: DomainError(.notFound, "")) {
                try await store.service.endSession(identifier, of: anna)
            }

            try await store.service.endSessions(of: anna, devices: false)
            #expect(try await store.service.sheetSession(work) == nil)
            #expect(try await store.service.sheetSession(others) == berta)
        }
    }

    @Test("Signing out everywhere signs out browsers and devices, whose apps are notified", arguments: Engine.stores)
    func everywhere(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let (phone, tablet) = (try await store.addDevice(1), try await store.addDevice(2))
            for device in [phone, tablet] { try await device.signIn(anna) }
            let token = try await store.service.openSheetSession(for: anna)

            try await store.service.endSessions(of: anna, devices: true)

            #expect(try await store.service.browserSession(token) == nil)
            #expect(try await store.count("device", where: "account_id IS NOT NULL") == 0)
            for device in [phone, tablet] { #expect(try await device.receiptAnswer().receipt == nil) }
            #expect(try await store.count("device_news", where: "kind = 'account'") == 4)
        }
    }

    @Test("The session that was used longest ago ends when an account has too many", arguments: Engine.stores)
    func limit(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            var tokens: [String] = []
            for _ in 0...BrowserSession.limit {
                tokens.append(try await store.service.openSheetSession(for: anna))
                store.clock.advance(by: .seconds(1))
            }
            #expect(try await store.service.sessions(of: anna).count == BrowserSession.limit)
            #expect(try await store.service.browserSession(tokens[0]) == nil)
            #expect(try await store.service.browserSession(tokens[1]) != nil)
        }
    }

    @Test("A new password ends every session, and the old one doesn't sign in any more", arguments: Engine.stores)
    func newPassword(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let token = try await store.service.openSheetSession(for: anna)

            let changed = try await store.service.changePassword(of: anna, to: "another horse")

            #expect(changed.passwordNumber == 1)
            #expect(try await store.service.browserSession(token) == nil)
            await #expect(throws: SigningIn.wrong) {
                try await store.service.signIn(email: anna.email, password: TestStore.password)
            }
            #expect(try await store.service.signIn(email: anna.email, password: "another horse") == changed)
            for password in ["", String(repeating: "a", count: 1001)] {
                await #expect(throws: DomainError(.invalid, "")) {
                    try await store.service.changePassword(of: changed, to: password)
                }
            }
        }
    }

    @Test(
        "A password that was changed since it was checked opens no session and signs in nowhere",
        arguments: Engine.stores)
    func changedMeanwhile(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.restore(request: "restore").sheet)
            let stranger = try await store.service.signIn(email: anna.email, password: TestStore.password)
            _ = try await store.service.changePassword(of: anna, to: "another horse")

            await #expect(throws: SigningIn.wrong) { try await store.service.openSheetSession(for: stranger) }
            await #expect(throws: SigningIn.wrong) { try await store.service.signIn(onSheet: sheet, as: stranger) }
            await #expect(throws: SigningIn.wrong) {
                try await store.service.changePassword(of: stranger, to: "stolen")
            }
            #expect(try await store.count("sheet_session") == 0)
            #expect(try await store.count("device", where: "account_id IS NOT NULL") == 0)
        }
    }

    @Test("The rules of the password accept sessions as they say", arguments: [true, false], [true, false])
    func rules(isFresh: Bool, isFree: Bool) {
        let now = WallTime(milliseconds: 1_000_000)
        var session = BrowserSession(
            identifier: "1", account: "a", browser: "", opened: now, seen: now, typed: now, expires: now)
        session.isFresh = isFresh
        #expect(!PasswordRule.always.accepts(session, forFree: isFree))
        #expect(PasswordRule.afterAWhile.accepts(session, forFree: isFree) == isFresh)
        #expect(PasswordRule.notForFree.accepts(session, forFree: isFree) == (isFresh || isFree))
        #expect(PasswordRule(rawValue: "later version").accepts(session, forFree: isFree) == isFresh)
    }
}
