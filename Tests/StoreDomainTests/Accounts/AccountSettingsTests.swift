// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The name, the language and the switches of an account.
struct AccountSettingsTests {
    @Test("A customer has a name and a language, which are changed and removed", arguments: Engine.stores)
    func nameAndLanguage(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await AddingAccount(store.context)(
                email: "anna@example.com", password: TestStore.password, storefront: "DEU", name: " Anna Bauer ",
                locale: "de-AT")
            #expect(try await store.service.account(anna.email) == anna)
            #expect(anna.name == "Anna Bauer" && anna.locale == "de_AT" && anna.language == "de_AT")

            let changed = try await store.service.change(account: anna.email, .init(name: "Anna", locale: "fr"))
            #expect(changed.name == "Anna" && changed.language == "fr" && changed.storefront == anna.storefront)
            let empty = try await store.service.change(account: anna.email, .init(name: "", locale: ""))
            #expect(empty.name == nil && empty.locale == nil && empty.language.hasPrefix("de"))
            #expect(try await store.service.account(anna.email) == empty)
        }
    }

    @Test("A name or a language of another form is refused", arguments: Engine.stores)
    func otherForm(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let changes: [ChangingAccount.Change] = [
                .init(name: "Anna\nBauer"), .init(name: String(repeating: "a", count: 201)), .init(locale: "d"),
                .init(locale: "de_"), .init(locale: "de DE"), .init(locale: "../de"), .init(locale: "12"),
                .init(locale: "de_" + String(repeating: "abcdefgh_", count: 5) + "ab"),
                .init(passwordRule: PasswordRule(rawValue: "never")),
            ]
            for change in changes {
                let refused = await #expect(throws: DomainError.self) {
                    try await store.service.change(account: anna.email, change)
                }
                #expect(refused?.code == .invalid)
            }
            #expect(try await store.service.account(anna.email) == anna)
        }
    }

    @Test("Each switch is turned on and off, and the others stay", arguments: Engine.stores)
    func switches(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            var expected: Set<AccountSwitch> = []
            for setting in AccountSwitch.all {
                expected.insert(setting)
                let changed = try await store.service.change(account: anna.email, .init(switches: [setting: true]))
                #expect(changed.switches == expected)
            }
            for setting in AccountSwitch.all {
                expected.remove(setting)
                _ = try await store.service.change(account: anna.email, .init(switches: [setting: false]))
                #expect(try await store.service.account(anna.email).switches == expected)
            }
        }
    }

    @Test("Every switch has a name, a flag and a column of its own")
    func names() {
        for names in [\AccountSwitch.name, \.flag, \.column] as [KeyPath<AccountSwitch, String>] {
            #expect(Set(AccountSwitch.all.map { $0[keyPath: names] }).count == AccountSwitch.all.count)
        }
    }

    @Test("Only accounts of the sandbox have the switches of tests", arguments: Engine.stores)
    func production(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            let anna = try await store.addAccount()
            for setting in AccountSwitch.all {
                let change = ChangingAccount.Change(switches: [setting: true])
                if setting.kind == .test {
                    await #expect(throws: DomainError(.invalid, "")) {
                        try await store.service.change(account: anna.email, change)
                    }
                } else {
                    #expect(try await store.service.change(account: anna.email, change).has(setting))
                }
            }
        }
    }

    @Test("The payments of a tester are declined while the switch is on", arguments: Engine.stores)
    func declined(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let berta = try await store.addAccount("berta@example.com")
            let phone = try await store.addDevice()
            try await store.service.change(account: anna.email, .init(switches: [.declinesPayments: true]))
            let sheet = try phone.token(try await phone.ask("juice", request: "declined").sheet)

            let declined = await #expect(throws: DomainError.self) {
                try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }
            #expect(declined?.code == .declined)
            try await phone.buy("juice", request: "of berta", as: berta)
            try await store.service.change(account: anna.email, .init(switches: [.declinesPayments: false]))
            _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)

            #expect(try await store.ledger() == [490, 490])
        }
    }

    @Test("All open accounts are listed in the order of their addresses, in pages", arguments: Engine.stores)
    func list(engine: Engine) async throws {
        try await engine.withStore { store in
            for name in ["c", "a", "d", "b"] { _ = try await store.addAccount("\(name)@example.com") }
            try await ClosingAccount(store.context)(email: "d@example.com")

            let listed = try await ListingAccounts(store.context)()
            #expect(listed.map(\.email) == ["a@example.com", "b@example.com", "c@example.com"])
            let page = try await store.context.read { db in try Account.page(after: "a@example.com", limit: 1, db) }
            #expect(page.map(\.email) == ["b@example.com"])
            #expect(try await ListingAccounts(store.context)(after: "c@example.com").isEmpty)
        }
    }

    @Test(
        "An account of the other environment is refused, with a sentence only for its password",
        arguments: Engine.stores)
    func otherEnvironment(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let sandbox = try await TestStore(database)
            let production = try await TestStore(database, environment: .production)
            _ = try await sandbox.addAccount("tester@example.com")
            _ = try await production.addAccount("anna@example.com")
            let tries: [(TestStore, String, String)] = [
                (sandbox, "anna@example.com", "isn't a sandbox account"),
                (production, "tester@example.com", "is a sandbox account"),
            ]
            for (store, email, sentence) in tries {
                let refused = await #expect(throws: DomainError.self) {
                    try await store.service.signIn(email: email, password: TestStore.password)
                }
                #expect(refused?.code == .otherEnvironment)
                #expect(refused?.message.contains(sentence) == true)
                let wrong = await #expect(throws: DomainError.self) {
                    try await store.service.signIn(email: email, password: "guess")
                }
                #expect(wrong?.code == .wrongPassword && wrong?.message == SigningIn.wrong.message)
            }
        }
    }

    @Test("Tries with the password of the other environment's account are counted", arguments: Engine.stores)
    func countedElsewhere(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let sandbox = try await TestStore(database)
            _ = try await TestStore(database, environment: .production).addAccount()
            var codes: [DomainError.Code?] = []
            for _ in 0..<6 {
                let refused = await #expect(throws: DomainError.self) {
                    try await sandbox.service.signIn(email: "anna@example.com", password: TestStore.password)
                }
                codes.append(refused?.code)
            }
            #expect(codes == Array(repeating: .otherEnvironment, count: 5) + [.throttled])
        }
    }
}
