// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Opening accounts, signing in and closing accounts.
struct AccountTests {
    @Test("The right password signs in, in upper and lower case of the address", arguments: Engine.stores)
    func signIn(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()

            #expect(try await store.service.signIn(email: " ANNA@example.com", password: TestStore.password) == anna)
        }
    }

    @Test("A wrong password and an unknown address get the same answer", arguments: Engine.stores)
    func wrong(engine: Engine) async throws {
        try await engine.withStore { store in
            _ = try await store.addAccount()

            let wrong = await #expect(throws: DomainError.self) {
                try await store.service.signIn(email: "anna@example.com", password: "guess")
            }
            let unknown = await #expect(throws: DomainError.self) {
                try await store.service.signIn(email: "nobody@example.com", password: "guess")
            }
            #expect(wrong?.code == .wrongPassword)
            #expect(wrong?.message == unknown?.message)
        }
    }

    @Test("After five wrong passwords the address waits, twice as long each time", arguments: Engine.stores)
    func throttle(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            @Sendable func tryWrong() async -> DomainError? {
                do {
                    _ = try await store.service.signIn(email: anna.email, password: "guess")
                    return nil
                } catch {
                    return error as? DomainError
                }
            }

            for _ in 0..<5 { #expect(await tryWrong()?.code == .wrongPassword) }
            #expect(await tryWrong()?.code == .throttled)
            let right = await #expect(throws: DomainError.self) {
                try await store.service.signIn(email: anna.email, password: TestStore.password)
            }
            #expect(right?.code == .throttled)

            store.clock.advance(by: .seconds(1))
            #expect(await tryWrong()?.code == .wrongPassword)
            store.clock.advance(by: .seconds(1))
            #expect(await tryWrong()?.code == .throttled)
            store.clock.advance(by: .seconds(1))
            #expect(try await store.service.signIn(email: anna.email, password: TestStore.password) == anna)
            #expect(await tryWrong()?.code == .wrongPassword)
        }
    }

    @Test("Tries at the same moment don't slip through together", arguments: Engine.stores)
    func burst(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()

            let looked = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        do {
                            _ = try await store.service.signIn(email: anna.email, password: "guess")
                            return true
                        } catch {
                            return (error as? DomainError)?.code == .wrongPassword
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }

            #expect(looked == 5)
        }
    }

    @Test("An address has one account", arguments: Engine.stores)
    func twice(engine: Engine) async throws {
        try await engine.withStore { store in
            _ = try await store.addAccount()
            let error = await #expect(throws: DomainError.self) { try await store.addAccount("Anna@Example.com") }
            #expect(error?.code == .exists)
        }
    }

    @Test("Impossible accounts are refused", arguments: Engine.stores)
    func impossible(engine: Engine) async throws {
        try await engine.withStore { store in
            for email in ["", "anna", "@", "a@", "@b", "a b@c", "a@b@c"] {
                let error = await #expect(throws: DomainError.self) { try await store.addAccount(email) }
                #expect(error?.code == .invalid)
            }
            let country = await #expect(throws: DomainError.self) {
                try await store.addAccount("c@example.com", storefront: "XXX")
            }
            #expect(country?.message.contains("XXX") == true)
        }
    }

    @Test("A browser's session ends after a quarter of an hour", arguments: Engine.stores)
    func session(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let token = try await store.service.openSheetSession(for: anna)

            #expect(try await store.service.sheetSession(token) == anna)
            #expect(try await store.service.sheetSession("another") == nil)
            store.clock.advance(by: .seconds(15 * 60))
            #expect(try await store.service.sheetSession(token) == nil)
        }
    }

    @Test("A session of a node whose clock is a little ahead is valid on the others", arguments: Engine.stores)
    func sessionOfAnotherNode(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let token = try await store.service.openSheetSession(for: anna)

            store.clock.advance(by: .seconds(-2))
            #expect(try await store.service.sheetSession(token) == anna)
            store.clock.advance(by: .seconds(-3600))
            #expect(try await store.service.sheetSession(token) == nil)
        }
    }

    @Test("A closed account can't sign in, and its address is free again", arguments: Engine.stores)
    func closed(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "1", as: anna)
            let sheet = try phone.token(try await phone.ask("pear", request: "2").sheet)

            try await ClosingAccount(store.context)(email: " Anna@example.com")

            #expect(try await phone.receiptAnswer().receipt == nil)
            let refused = await #expect(throws: DomainError.self) {
                try await store.service.signIn(email: anna.email, password: TestStore.password)
            }
            #expect(refused?.code == .wrongPassword)
            // This customer typed the password before the account was closed.
            let late = await #expect(throws: DomainError.self) {
                try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }
            #expect(late?.code == .wrongPassword)
            #expect(try await store.count("ledger_entry") == 1)
            #expect(try await store.count("account", where: "email LIKE '%anna%'") == 0)
            let again = try await store.addAccount()
            #expect(again.identifier != anna.identifier)
            let twice = await #expect(throws: DomainError.self) {
                try await ClosingAccount(store.context)(email: "nobody@example.com")
            }
            #expect(twice?.code == .notFound)
        }
    }

    @Test("An account that was closed since signs in on no sheet", arguments: Engine.stores)
    func signInAfterClosing(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.restore(request: "restore").sheet)
            try await ClosingAccount(store.context)(email: anna.email)

            let late = await #expect(throws: DomainError.self) {
                try await store.service.signIn(onSheet: sheet, as: anna)
            }

            #expect(late?.code == .wrongPassword)
            #expect(try await store.count("device", where: "account_id IS NOT NULL") == 0)
            #expect(try await store.count("sheet", where: "status = 'open'") == 1)
        }
    }

    @Test("An account that is closed while it is changed stays as it is", arguments: Engine.stores)
    func changedAndClosed(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { opened in
            let database = InterposedDatabase(opened)
            let store = try await TestStore(database)
            let anna = try await store.addAccount()
            // Between the transaction that finds the address and the one that changes the account.
            database.after(1) {
                try await ClosingAccount(store.context)(email: anna.email)
            }

            let late = await #expect(throws: DomainError.self) {
                try await store.service.change(account: anna.email, .init(storefront: "DEU"))
            }

            #expect(late?.code == .notFound)
            #expect(try await store.count("account", where: "storefront = 'DEU'") == 0)
        }
    }

    @Test("A payment whose purchase belongs to a closed account ends", arguments: Engine.stores)
    func boughtAndClosed(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "1", as: anna)

            try await ClosingAccount(store.context)(email: anna.email)

            let answer = try await phone.ask("apple", request: "1")
            #expect(answer.status == .purchased && answer.transaction == nil)
        }
    }

    @Test("A repeated sign-out doesn't sign out an account that has signed in since", arguments: Engine.stores)
    func signOutTwice(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let bob = try await store.addAccount("bob@example.com")
            let phone = try await store.addDevice()
            try await phone.buy("juice", request: "1", as: anna)

            _ = try await phone.call(SignOutCall(requestIdentifier: "out"))
            #expect(try await phone.receiptAnswer().receipt == nil)
            try await phone.buy("apple", request: "2", as: bob)
            _ = try await phone.call(SignOutCall(requestIdentifier: "out"))

            #expect(try await phone.ask("apple", request: "2").transaction != nil)
            #expect(try await phone.receiptAnswer().position?.account == bob.identifier.rawValue)
            let taken = await #expect(throws: StoreFailure.self) {
                try await phone.call(SignOutCall(requestIdentifier: "2"))
            }
            #expect(taken?.code == .requestMismatch)
        }
    }

    @Test("An account is found by its address until it is closed", arguments: Engine.stores)
    func found(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            #expect(try await store.service.account("Anna@Example.com").identifier == anna.identifier)

            try await ClosingAccount(store.context)(email: anna.email)

            for address in [anna.email, "closed:\(anna.identifier)"] {
                await #expect(throws: DomainError(.notFound, "")) { try await store.service.account(address) }
                await #expect(throws: DomainError(.notFound, "")) {
                    try await ClosingAccount(store.context)(email: address)
                }
            }
        }
    }

    @Test("An account isn't closed while a payment of it is under way", arguments: Engine.stores)
    func notWhilePaying(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "1", as: anna)
            try await store.context.database.write { _ = try $0.run("UPDATE payment SET status = 'committed'") }

            let refused = await #expect(throws: DomainError.self) {
                try await ClosingAccount(store.context)(email: anna.email)
            }

            #expect(refused?.code == .underWay)
            let signedIn = try await store.service.signIn(email: anna.email, password: TestStore.password)
            #expect(signedIn.identifier == anna.identifier)
        }
    }
}
