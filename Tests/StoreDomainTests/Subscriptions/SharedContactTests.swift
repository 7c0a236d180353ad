// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// A customer shares name, e-mail address and postcode for a longer period.
@Suite(.timeLimit(.hang))
struct SharedContactTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    private func contact(of account: Account, email: String = "") throws -> SharedContact {
        try SharedContact(name: " Anna Ast ", email: email, postcode: "1010", of: account)
    }

    /// Asks for a product and confirms its sheet, with a contact or without.
    @discardableResult
    private func buy(_ product: String, _ anna: Subscriber, _ contact: SharedContact?) async throws -> DeviceRequest {
        let token = try anna.phone.token(try await anna.phone.ask(product, request: UUID().uuidString).sheet)
        return try await anna.store.service.buy(onSheet: token, as: anna.account, shown: nil, contact: contact)
    }

    @Test("A contact makes the first period longer, and the seller receives it", arguments: Engine.stores)
    func shared(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellMagazines()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")

            try await buy("magazine", anna, contact(of: anna.account))

            #expect(try await anna.periods() == ["magazine 2026-04-10 19:00:00 to 2026-06-10 19:00:00"])
            let listed = try await ListingContacts(store.context)(of: Self.app)
            #expect(listed.map(\.contact.name) == ["Anna Ast"] && listed.map(\.contact.postcode) == ["1010"])
            #expect(listed.map(\.contact.email) == [anna.account.email] && listed.map(\.product) == ["magazine"])
            #expect(
                try await anna.advance(to: "2026-06-11 00:00:00") == [
                    "2026-06-09 19:00:00 authorised", "2026-06-10 19:00:00 renewed magazine",
                ])
            #expect(try await anna.periods().last == "magazine 2026-06-10 19:00:00 to 2026-07-10 19:00:00")
            #expect(try await anna.ledger() == [4990, 4990])
            #expect(try await store.count("request", where: "contact IS NOT NULL") == 0)
        }
    }

    @Test("A purchase that isn't made shares nothing, and the next try may be without", arguments: Engine.stores)
    func declined(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellMagazines()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            let token = try anna.phone.token(try await anna.phone.ask("magazine", request: "1").sheet)
            store.cardLimit.milliunits = 0
            let shared = try contact(of: anna.account)
            await #expect(throws: DomainError(.declined, "")) {
                _ = try await store.service.buy(onSheet: token, as: anna.account, shown: nil, contact: shared)
            }
            #expect(try await store.count("shared_contact") == 0)
            store.cardLimit.milliunits = .max

            _ = try await store.service.buy(onSheet: token, as: anna.account, shown: nil)

            #expect(try await anna.periods() == ["magazine 2026-04-10 19:00:00 to 2026-05-10 19:00:00"])
            #expect(try await store.count("shared_contact") == 0)
            #expect(try await store.count("request", where: "contact IS NOT NULL") == 0)
        }
    }

    @Test("The longer period is offered once for an account and app", arguments: Engine.stores)
    func once(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellMagazines()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await buy("magazine", anna, contact(of: anna.account))
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-07-01 00:00:00")

            let token = try anna.phone.token(try await anna.phone.ask("magazine", request: "again").sheet)
            #expect(try await store.service.sheet(token).terms?.contactBonus == nil)
            let again = try contact(of: anna.account)
            await #expect(throws: DomainError(.priceChanged, "")) {
                _ = try await store.service.buy(onSheet: token, as: anna.account, shown: nil, contact: again)
            }
            _ = try await store.service.buy(onSheet: token, as: anna.account, shown: nil)
            #expect(try await anna.periods().last == "magazine 2026-07-01 00:00:00 to 2026-07-31 00:00:00")
            #expect(try await store.count("shared_contact") == 1)
        }
    }

    @Test("Two sheets of two groups give the longer period once, also while a bank is asked", arguments: Engine.stores)
    func twoGroups(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellMagazines()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            let tokens = try await sheets(anna)
            let shared = try contact(of: anna.account)
            try await store.answerPayments { $0.hasAction = true }
            _ = try await store.service.buy(onSheet: tokens[0], as: anna.account, shown: nil, contact: shared)

            #expect(try await store.service.sheet(tokens[1]).terms?.contactBonus == nil)
            await #expect(throws: DomainError(.priceChanged, "")) {
                _ = try await store.service.buy(onSheet: tokens[1], as: anna.account, shown: nil, contact: shared)
            }
            _ = try await store.service.buy(onSheet: tokens[1], as: anna.account, shown: nil)
            while let payment = try await store.payment("pending") {
                try await store.service.answer(payment, isConfirmed: true)
                try await store.settlePayments()
            }

            #expect(
                try await anna.periods().sorted() == [
                    "comic 2026-04-10 19:00:00 to 2026-05-10 19:00:00",
                    "magazine 2026-04-10 19:00:00 to 2026-06-10 19:00:00",
                ])
            #expect(try await store.count("shared_contact") == 1)
        }
    }

    @Test("A purchase that was interrupted doesn't get the longer period a second time", arguments: Engine.stores)
    func interrupted(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellMagazines()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            func interrupt(_ isOn: Bool) async throws {
                _ = try await store.service.change(
                    account: anna.account.email, .init(switches: [.interruptsPurchases: isOn]))
            }
            try await interrupt(true)
            #expect(try await buy("comic", anna, contact(of: anna.account)).status == .interrupted)
            let number = try await store.onlyUndecided()
            try await interrupt(false)
            try await buy("magazine", anna, contact(of: anna.account))

            try await store.service.resolve(number)

            #expect(try await anna.periods() == ["magazine 2026-04-10 19:00:00 to 2026-06-10 19:00:00"])
            #expect(try await anna.ledger() == [4990])
            #expect(try await store.count("request", where: "contact IS NOT NULL") == 0)
        }
    }

    @Test("Two nodes that sell to a customer at the same time give the longer period once", arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            try await nodes.first.sellMagazines()
            for number in 0..<(engine.isPostgreSQL ? 8 : 4) {
                let anna = try await nodes.first.subscriber(number)
                let tokens = try await sheets(anna)
                let shared = try contact(of: anna.account)
                await withTaskGroup(of: Void.self) { group in
                    for (place, token) in tokens.enumerated() {
                        group.addTask {
                            _ = try? await nodes[place].service.buy(
                                onSheet: token, as: anna.account, shown: nil, contact: shared)
                        }
                    }
                }

                let account = "account_id = '\(anna.account.identifier)'"
                #expect(try await nodes.first.count("shared_contact", where: account) == 1)
                #expect(try await anna.periods().count == 1)
            }
            try await nodes.first.checkMoney()
        }
    }

    /// The sheets of a magazine and of a comic.
    private func sheets(_ anna: Subscriber) async throws -> [String] {
        var tokens: [String] = []
        for product in ["magazine", "comic"] {
            tokens.append(try anna.phone.token(try await anna.phone.ask(product, request: UUID().uuidString).sheet))
        }
        return tokens
    }

    @Test("A subscriber whose renewal is due and not made yet gets no longer period", arguments: Engine.stores)
    func betweenPeriods(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellMagazines()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("magazine")
            store.clock.advance(by: .seconds(32 * 86400))

            let shared = try contact(of: anna.account)
            await #expect(throws: DomainError(.priceChanged, "")) { try await buy("magazine", anna, shared) }
            await store.service.renewSubscriptions()
            #expect(try await anna.ledger() == [4990, 4990])
        }
    }

    @Test("A contact waits for the approval of its purchase", arguments: Engine.stores)
    func approved(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellMagazines()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            _ = try await store.service.change(account: anna.account.email, .init(switches: [.asksToBuy: true]))
            // The device has no account yet, so that the sheet comes first.
            let strange = Subscriber(store: store, account: anna.account, phone: try await store.addDevice(9))

            #expect(try await buy("magazine", strange, contact(of: anna.account)).status == .deferred)
            #expect(try await ListingContacts(store.context)(of: Self.app).isEmpty)
            try await store.service.approve(try await store.onlyUndecided())

            #expect(try await anna.periods() == ["magazine 2026-04-10 19:00:00 to 2026-06-10 19:00:00"])
            #expect(try await ListingContacts(store.context)(of: Self.app).count == 1)
        }
    }

    @Test("A request to buy that is declined forgets its contact", arguments: Engine.stores)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellMagazines()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            _ = try await store.service.change(account: anna.account.email, .init(switches: [.asksToBuy: true]))
            // The device has no account yet, so that the sheet comes first.
            let strange = Subscriber(store: store, account: anna.account, phone: try await store.addDevice(9))
            try await buy("magazine", strange, contact(of: anna.account))
            #expect(try await store.count("request", where: "contact IS NOT NULL") == 1)

            try await store.service.decline(try await store.onlyUndecided())

            #expect(try await store.count("request", where: "contact IS NOT NULL") == 0)
            #expect(try await store.count("shared_contact") == 0)
        }
    }

    @Test("A contact isn't taken for an upgrade or for a product without the offer", arguments: Engine.stores)
    func notOffered(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellMagazines()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            let shared = try contact(of: anna.account)
            await #expect(throws: DomainError(.priceChanged, "")) { try await buy("plain", anna, shared) }
            try await anna.buy("plain")
            await #expect(throws: DomainError(.priceChanged, "")) { try await buy("magazine", anna, shared) }
            #expect(try await anna.ledger() == [4990])
        }
    }

    @Test("The list has pages, and a closed account's contact isn't in it", arguments: Engine.stores)
    func list(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellMagazines()
            for number in 0..<2 {
                let customer = try await store.subscriber(number)
                try await buy("magazine", customer, contact(of: customer.account, email: "c\(number)@example.org"))
                store.clock.advance(by: .seconds(1))
            }
            let listing = ListingContacts(store.context)

            let all = try await listing(of: Self.app)
            #expect(all.map(\.contact.email) == ["c0@example.org", "c1@example.org"])
            #expect(try await listing(of: Self.app, after: all.first?.position) == Array(all.dropFirst()))
            #expect(try await listing(of: Self.app, after: all.last?.position).isEmpty)
            await #expect(throws: DomainError(.notFound, "")) { _ = try await listing(of: "com.example.none") }
            try await ClosingAccount(store.context)(email: "customer-0@example.com")
            #expect(try await listing(of: Self.app).map(\.contact.email) == ["c1@example.org"])
        }
    }

    @Test(
        "A value that is missing, too long or can't be shown is refused",
        arguments: [
            ("", "a@b.c", "1"), ("Anna", "a@b.c", " "), ("Anna", "nobody", "1"), ("Anna", "@b", "1"),
            (String(repeating: "x", count: 201), "a@b.c", "1"), ("Anna", "a@b.c", String(repeating: "1", count: 21)),
            ("Anna", String(repeating: "x", count: 319) + "@b", "1"), ("An\nna", "a@b.c", "1"),
            ("An\u{1B}[31mna", "a@b.c", "1"), ("An\u{202E}na", "a@b.c", "1"), ("Anna", "a@b.c", "1\u{0}"),
        ])
    func refusedValues(name: String, email: String, postcode: String) throws {
        let account = Account(identifier: "a", email: "anna@example.com", storefront: .unitedStates, eventNumber: 0)
        #expect(throws: DomainError(.invalid, "")) {
            _ = try SharedContact(name: name, email: email, postcode: postcode, of: account)
        }
        #expect(try SharedContact(name: "Ann", email: " ", postcode: "1", of: account).email == "anna@example.com")
    }
}

/// The offer in configuration files.
struct ContactBonusTests {
    private static let app = App(bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier), name: "Fruit")

    private static func terms(_ bonus: String) -> [String: String] {
        [
            "\"groupNumber\": 1":
                "\"groupNumber\": 1, \"_openStoreKit\": { \"sharesContact\": { \"bonus\": \"\(bonus)\" } }"
        ]
    }

    @Test("The bonus is imported, changed, exported and removed", arguments: Engine.stores)
    func imported(engine: Engine) async throws {
        try await engine.withStore { store in
            func lines(_ file: StoreKitConfigurationFile) async throws -> [String] {
                try await ImportingCatalogue(store.context)(file, into: Self.app).lines
            }
            _ = try await lines(SubscriptionImportTests.file(Self.terms("P1M")))
            let gold = try await store.context.read { db in
                try Catalogue.product("gold", of: Self.app.bundleIdentifier, db)
            }
            #expect(gold?.contactBonus == SubscriptionPeriod(1, .month))

            let file = try SubscriptionImportTests.file(Self.terms("P2W"))
            #expect(
                try await lines(file) == ["metals.storekit: gold: changed: bonus for a contact from P1M to P2W."])
            try await store.service.setPrice(product: "gold", of: Self.app.bundleIdentifier, in: "DEU", to: "8.99")
            let exported = try await ExportingCatalogue(store.context)(Self.app.bundleIdentifier)
            let again = try StoreKitConfigurationFile(
                exported, file: "again.storekit", bundleIdentifier: Self.app.bundleIdentifier)
            let read = again.products.first { $0.productIdentifier == "gold" }
            #expect(read?.contactBonus == SubscriptionPeriod(2, .week) && read?.prices == ["DEU": 8990])
            _ = try await ImportingCatalogue(store.context)(
                SubscriptionImportTests.file(), into: Self.app, overwritingEdits: true)
            #expect(try await store.count("subscription_plan", where: "contact_bonus IS NOT NULL") == 0)
        }
    }

    @Test("A bonus that isn't a length of at most a year is refused", arguments: ["", "P13M", "P2Y", "P367D", "1M"])
    func refused(bonus: String) {
        #expect(throws: DomainError(.configuration, "")) { _ = try SubscriptionImportTests.file(Self.terms(bonus)) }
    }

    @Test("Only a subscription can have a bonus")
    func otherKinds() {
        let apple = "\"productID\": \"apple\""
        let terms = "\"_openStoreKit\": { \"sharesContact\": { \"bonus\": \"P1M\" } }"
        #expect(throws: DomainError(.configuration, "")) {
            _ = try SubscriptionImportTests.file([apple: "\(apple), \(terms)"])
        }
    }
}

extension TestStore {
    /// Sells two magazines of a group, of which one gives a month for a
    /// contact, and a comic of another group, which does so too.
    func sellMagazines() async throws {
        func magazine(_ identifier: String, level: Int, _ terms: String, of group: String = "MAGAZINES") -> String {
            """
            { "productID" : "\(identifier)", "referenceName" : "\(identifier)", "displayPrice" : "4.99",
              "type" : "RecurringSubscription", "recurringSubscriptionPeriod" : "P1M", "groupNumber" : \(level),
              "subscriptionGroupID" : "\(group)", "localizations" : []\(terms) }
            """
        }
        let terms = ", \"_openStoreKit\" : { \"sharesContact\" : { \"bonus\" : \"P1M\" } }"
        let group = """
            "subscriptionGroups" : [ { "id" : "MAGAZINES", "name" : "Magazines", "localizations" : [],
                "subscriptions" : [ \(magazine("magazine", level: 1, terms)), \(magazine("plain", level: 2, "")) ] },
                { "id" : "COMICS", "name" : "Comics", "localizations" : [],
                "subscriptions" : [ \(magazine("comic", level: 1, terms, of: "COMICS")) ] } ],
            "version" :
            """
        try await sell(Self.catalogue.replacing("\"version\" :", with: group))
    }
}
