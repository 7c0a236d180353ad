// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The sandbox testers of a team.
struct TesterTests {
    private static let values = TesterValues(
        email: " Tess@Example.com", password: "secret", name: "Tess", storefront: "DEU")

    @Test("A team sees and changes its own testers, and the operator's team all others", arguments: Engine.stores)
    func teams(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let anna = try await store.addAccount()
            let managing = try store.service.managingTesters()
            let tess = try await managing.add(Self.values, by: other)
            #expect(tess.email == "tess@example.com" && tess.team == other.team && anna.team == holder.team)
            let reader = store.service.testerReader
            #expect(try await reader(as: holder).entries.map(\.email) == [anna.email])
            #expect(try await reader(as: other).entries.map(\.email) == [tess.email])
            #expect(
                try await reader(containing: "ES", storefront: "DEU", as: other).entries.map(\.email) == [tess.email])
            #expect(try await reader(storefront: "USA", as: other).entries.isEmpty)
            #expect(try await ListingAccounts(store.context)().count == 2, "The operator sees all.")
            await #expect(throws: DomainError(.notFound, "")) {
                _ = try await reader.tester(anna.identifier, as: other)
            }
            await #expect(throws: DomainError(.notFound, "")) {
                try await managing.clearPurchases(of: anna.identifier, by: other)
            }
            await #expect(throws: InvalidFields(problems: [FieldProblem(field: "email", kind: .taken)])) {
                _ = try await managing.add(Self.values, by: holder)
            }
            let log = try await store.service.teamReader.changes(containing: "tester-added", as: other).entries
            #expect(log.map(\.subject) == ["tess@example.com"] && log.map(\.after) == ["DEU"])
        }
    }

    @Test("A user who has lost the right learns nothing about an address", arguments: Engine.stores)
    func lostRight(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let developer = try await store.addUser(.developer, to: holder)
            let managing = try store.service.managingTesters()
            _ = try await managing.add(Self.values, by: developer)
            try await store.service.changingUser().setRole(
                TeamRole.finance.rawValue, of: developer.identifier, before: TeamRole.developer.rawValue, by: holder)
            var others = Self.values
            others.email = "other@example.com"
            for values in [Self.values, others] {
                await #expect(throws: DomainError(.forbidden, "")) { _ = try await managing.add(values, by: developer) }
            }
        }
    }

    @Test("Values that no account can have are problems of their fields")
    func problems() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let holder = try await store.setUpTeam()
            let managing = try store.service.managingTesters()
            let long = String(repeating: "x", count: 5000)
            let wrong = TesterValues(email: "x", password: "", name: long, storefront: "XXX")
            await #expect(
                throws: InvalidFields(
                    problems: [
                        FieldProblem(field: "email", kind: .malformed), FieldProblem(field: "password", kind: .missing),
                        FieldProblem(field: "name", kind: .malformed),
                        FieldProblem(field: "storefront", kind: .unknown),
                    ])
            ) { _ = try await managing.add(wrong, by: holder) }
            #expect(try await store.service.testerReader(as: holder).entries.isEmpty)
        }
    }

    @Test("Different settings have different texts, also with a name that reads as a switch")
    func texts() {
        let names = ["", "barred", "\"", "\", barred", "\\", "\\\""]
        let settings = names.flatMap { name in
            [Set<AccountSwitch>(), [.barred]].map { TesterSettings(name: name, storefront: "USA", switches: $0) }
        }
        #expect(Set(settings.map(\.text)).count == settings.count)
    }

    @Test("Settings are saved once, and those of an old page aren't", arguments: Engine.stores)
    func settings(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let managing = try store.service.managingTesters()
            let tess = try await managing.add(Self.values, by: holder)
            let old = TesterSettings(tess)
            var new = old
            new.storefront = "FRA"
            new.switches = [.interruptsPurchases, .declinesPayments]
            for _ in 0..<2 { try await managing.change(tess.identifier, to: new, before: old.text, by: holder) }
            let changed = try await store.service.testerReader.tester(tess.identifier, as: holder).account
            #expect(TesterSettings(changed) == new)
            var third = old
            third.name = "Third"
            await #expect(throws: DomainError.changed) {
                try await managing.change(tess.identifier, to: third, before: old.text, by: holder)
            }
            let log = try await store.service.teamReader.changes(containing: "tester-changed", as: holder).entries
            #expect(log.map(\.before) == [old.text] && log.map(\.after) == [new.text])
        }
    }

    @Test("The clock is moved, renewals follow, and the history is cleared", arguments: Engine.stores)
    func clock(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let holder = try await store.setUpTeam()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("small")
            let (managing, reader) = (try store.service.managingTesters(), store.service.testerReader)
            let tester = anna.account.identifier
            let before = try await reader.tester(tester, as: holder)
            let next = try #require(before.nextStep)
            for move in [MovingClock.Move.toNextStep, .later(try ClockDuration("1mo")), .speed(.monthIn5Minutes)] {
                try await managing.move(tester, move, by: holder)
            }
            let after = try await reader.tester(tester, as: holder)
            #expect(after.time > next && after.account.clock.speed == .monthIn5Minutes)
            #expect(try await anna.periods().count >= 2)
            let log = try await store.service.teamReader.changes(containing: "tester-clock", as: holder).entries
            #expect(log.map(\.after) == ["month=5m", "+1mo", "next event"])

            #expect(try await managing.clearPurchases(of: tester, by: holder) >= 2)
            #expect(try await store.count("purchase") == 0)
            #expect(try await reader.tester(tester, as: holder).nextStep == nil)
        }
    }

    @Test("A clock that is moved is no failure when the database is overloaded afterwards", arguments: Engine.stores)
    func overload(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { opened in
            let database = OverloadedDatabase(opened)
            let store = try await TestStore(
                database, faults: { if $0 == "advance:moved" { database.refuse(after: 0) } })
            let holder = try await store.setUpTeam()
            let tester = try await store.addAccount().identifier
            let before = try await store.service.testerReader.tester(tester, as: holder).time
            try await store.service.managingTesters().move(tester, .later(try ClockDuration("1mo")), by: holder)
            #expect(database.recover(), "No call was refused.")
            let after = try await store.service.testerReader.tester(tester, as: holder).time
            #expect(after > before)
            let log = try await store.service.teamReader.changes(containing: "tester-clock", as: holder).entries
            #expect(log.map(\.after) == ["+1mo"])
        }
    }

    @Test("Families are made of the team's testers", arguments: Engine.stores)
    func families(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let managing = try store.service.managingTesters()
            func add(_ email: String, _ user: TeamUser) async throws -> Account {
                try await managing.add(TesterValues(email: email, password: "x", storefront: "USA"), by: user)
            }
            let mother = try await add("mother@example.com", holder)
            let child = try await add("child@example.com", holder)
            _ = try await add("stranger@example.com", other)
            let family = { (change: ManagingTesters.FamilyChange, account: Account) in
                try await managing.change(family: change, of: account.identifier, by: holder)
            }
            try await family(.begin, mother)
            for (email, role, field) in [
                ("stranger@example.com", "child", "email"), ("nobody@example.com", "child", "email"),
                ("child@example.com", "organiser", "role"),
            ] {
                await #expect(throws: InvalidFields(unknown: field)) {
                    try await family(.add(email: email, role: role), mother)
                }
            }
            try await family(.add(email: "child@example.com", role: "child"), mother)
            let found = try await store.service.testerReader.tester(child.identifier, as: holder)
            #expect(found.family?.members.count == 2 && found.account.has(.asksToBuy))
            try await family(.leave, child)
            try await family(.end, mother)
            #expect(try await store.service.testerReader.tester(mother.identifier, as: holder).family == nil)
            try await managing.remove(child.identifier, by: holder)
            #expect(try await store.service.testerReader(as: holder).entries.map(\.email) == [mother.email])
        }
    }

    @Test("A change that changes nothing isn't in the log", arguments: Engine.stores)
    func unchanged(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let managing = try store.service.managingTesters()
            let anna = try await store.addAccount()
            let child = try await store.addAccount("child@example.com")
            let time = try await store.service.testerReader.tester(anna.identifier, as: holder).time
            for _ in 0..<2 {
                for move in [MovingClock.Move.speed(.monthIn5Minutes), .by(.zero), .later(ClockDuration()), .to(time)] {
                    try await managing.move(anna.identifier, move, by: holder)
                }
                #expect(try await managing.clearPurchases(of: anna.identifier, by: holder) == 0)
                for change in [ManagingTesters.FamilyChange.begin, .add(email: child.email, role: "child")] {
                    try await managing.change(family: change, of: anna.identifier, by: holder)
                }
            }
            // A member of a family begins none.
            await #expect(throws: DomainError(.exists, "")) {
                try await managing.change(family: .begin, of: child.identifier, by: holder)
            }
            let log = try await store.service.teamReader.changes(containing: "tester-", as: holder).entries
            #expect(log.map(\.after) == ["child: child@example.com", "begin", "month=5m"])
        }
    }

    @Test("A declined request of Ask to Buy is in the log once")
    func declined() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let holder = try await store.setUpTeam()
            let anna = try await store.addAccount(asksToBuy: true)
            let phone = try await store.addDevice()
            let token = try phone.token(try await phone.ask("apple", request: "1").sheet)
            _ = try await store.service.buy(onSheet: token, as: anna, shown: nil)
            let waiting = try await store.service.testerReader.tester(anna.identifier, as: holder).waiting
            let transaction = try #require(waiting.first?.transactionIdentifier)
            try await store.service.decide(false, about: transaction, of: anna.identifier, by: holder)
            await #expect(throws: DomainError(.notFound, "")) {
                try await store.service.decide(false, about: transaction, of: anna.identifier, by: holder)
            }
            let log = try await store.service.teamReader.changes(containing: "tester-request", as: holder).entries
            #expect(log.map(\.after) == ["decline \(transaction)"])
        }
    }

    @Test("A request of Ask to Buy is approved, and none of another tester", arguments: Engine.stores)
    func approval(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let anna = try await store.addAccount(asksToBuy: true)
            let berta = try await store.addAccount("berta@example.com")
            let phone = try await store.addDevice()
            let token = try phone.token(try await phone.ask("apple", request: "1").sheet)
            _ = try await store.service.buy(onSheet: token, as: anna, shown: nil)
            let waiting = try await store.service.testerReader.tester(anna.identifier, as: holder).waiting
            let transaction = try #require(waiting.first?.transactionIdentifier)
            await #expect(throws: DomainError(.notFound, "")) {
                try await store.service.decide(true, about: transaction, of: berta.identifier, by: holder)
            }
            try await store.service.decide(true, about: transaction, of: anna.identifier, by: holder)
            #expect(try await FindingPurchase(store.context)(transaction).account == anna.identifier)
            let log = try await store.service.teamReader.changes(containing: "tester-request", as: holder).entries
            #expect(log.map(\.subject) == [anna.email] && log.map(\.after) == ["approve \(transaction)"])
        }
    }

    @Test("Production has no testers: its accounts are customers")
    func production() async throws {
        try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            let holder = try await store.setUpTeam()
            let anna = try await store.addAccount()
            let (managing, reader) = (try store.service.managingTesters(), store.service.testerReader)
            await #expect(throws: DomainError(.notFound, "")) { _ = try await reader(as: holder) }
            await #expect(throws: DomainError(.notFound, "")) {
                _ = try await reader.tester(anna.identifier, as: holder)
            }
            await #expect(throws: DomainError(.notFound, "")) { _ = try await managing.add(Self.values, by: holder) }
            await #expect(throws: DomainError(.notFound, "")) {
                try await managing.remove(anna.identifier, by: holder)
            }
            await #expect(throws: DomainError(.notFound, "")) {
                _ = try await store.service.activity(.init(), as: holder)
            }
        }
    }
}
