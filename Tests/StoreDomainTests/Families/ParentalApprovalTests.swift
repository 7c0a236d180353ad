// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Requests to buy that a parent of the family answers, on every engine.
struct ParentalApprovalTests {
    @Test("A parent approves, pays, and the child has the purchase", arguments: Engine.stores)
    func approved(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let number = try await home.ask("apple", request: "r1")
            for parent in [home.olga, home.paul] {
                let request = try #require(try await home.requests(for: parent).first)
                #expect(request.child.email == home.carl.email && request.app.name == "Fruit")
                #expect(request.price == Money(milliunits: 990, currency: "USD"))
            }
            #expect(try await store.ledger() == [])

            try await home.approve(number, by: home.paul, shown: Money(milliunits: 990, currency: "USD"))

            let answer = try await home.phone.ask("apple", request: "r1")
            #expect(answer.status == .purchased && answer.transaction?.transactionIdentifier == number.rawValue)
            #expect(try await store.payers() == [home.paul.identifier])
            #expect(try await store.amounts() == [990])
            #expect(try await home.requests(for: home.olga).isEmpty)
            // The other parent's later answer changes nothing.
            try await home.approve(number, by: home.olga)
            await home.refused(.decided) { try await store.service.decline(number, by: home.olga) }
            #expect(try await store.amounts() == [990])
        }
    }

    @Test("A parent's refund goes to the parent", arguments: Engine.stores)
    func refund(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let number = try await home.ask("apple", request: "r1")
            try await home.approve(number, by: home.paul)

            try await store.service.refund(number)

            #expect(try await store.payers() == [home.paul.identifier, home.paul.identifier])
            #expect(try await store.ledger() == [990, -990])
        }
    }

    @Test("A request that a parent declines fails, and the child may ask again", arguments: Engine.stores)
    func declined(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let number = try await home.ask("apple", request: "r1")

            try await store.service.decline(number, by: home.olga)

            #expect(try await home.phone.ask("apple", request: "r1").failure?.code == .paymentCancelled)
            await home.refused(.decided) { try await home.approve(number, by: home.paul) }
            try await home.approve(try await home.ask("apple", request: "r2"), by: home.paul)
            #expect(try await store.amounts() == [990])
        }
    }

    @Test("Only a parent of the same family decides, and no account about its own request", arguments: Engine.stores)
    func strangers(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let ada = try await store.person("ada", device: 21)
            _ = try await store.families.add(ada.email, as: .adult, organiser: home.olga.email)
            let nora = try await store.person("nora", device: 22)
            _ = try await store.families.begin(organiser: nora.email)
            let number = try await home.ask("apple", request: "r1")

            for account in [home.carl, ada, nora] {
                await home.refused(.notFound) { try await home.approve(number, by: account) }
                await home.refused(.notFound) { try await store.service.decline(number, by: account) }
                #expect(try await home.requests(for: account).isEmpty)
            }
            // A parent who has to ask as well can't approve the own request.
            _ = try await store.service.change(account: home.paul.email, .init(switches: [.asksToBuy: true]))
            let device = TestDevice(number: 12, store: store)
            #expect(try await device.ask("pear", request: "own").status == .deferred)
            let own = try #require(try await home.requests(for: home.olga).first { $0.child.email == home.paul.email })
            await home.refused(.notFound) { try await home.approve(own.transaction, by: home.paul) }
            try await home.approve(own.transaction, by: home.olga)
            #expect(try await store.payers() == [home.olga.identifier])
        }
    }

    @Test("Of two requests for one thing the approval of one answers both", arguments: Engine.stores)
    func twice(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let first = try await home.ask("apple", request: "r1")
            let second = try await home.ask("apple", request: "r2")

            try await home.approve(first, by: home.olga)
            #expect(try await home.requests(for: home.paul).isEmpty)
            #expect(try await store.ledger() == [990, 0])
            for request in ["r1", "r2"] {
                #expect(try await home.phone.ask("apple", request: request).status == .purchased)
            }
            #expect(try await home.phone.queue().map(\.productIdentifier) == ["apple", "apple"])
            // The page of before asks about the second one, with the price.
            try await home.approve(second, by: home.paul, shown: Money(milliunits: 990, currency: "USD"))
            await home.refused(.decided) { try await store.service.decline(second, by: home.paul) }
            #expect(try await store.ledger() == [990, 0])
        }
    }

    @Test("Two requests for a consumable are two, one of two for a subscription is bought", arguments: Engine.stores)
    func others(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let juice = try await home.ask("juice", request: "j1")
            _ = try await home.ask("juice", request: "j2")
            try await home.approve(juice, by: home.olga)
            #expect(try await home.requests(for: home.paul).count == 1)

            try await store.sellBaskets()
            let basket = try await home.ask("large", request: "b1")
            _ = try await home.ask("large", request: "b2")
            #expect(try await home.phone.ask("large", request: "b3", acceptsRunning: false).status == .deferred)
            try await home.approve(basket, by: home.olga)
            #expect(try await home.requests(for: home.paul).map(\.productIdentifier) == ["juice"])
            #expect(try await home.phone.ask("large", request: "b2").status == .purchased)
            #expect(try await home.phone.ask("large", request: "b3").failure?.underlying == .subscribed)
            #expect(try await store.ledger().reduce(0, +) == 490 + 9990)
        }
    }

    @Test("Another price than the one on the page is shown first, and then charged", arguments: Engine.stores)
    func price(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let number = try await home.ask("apple", request: "r1")
            let bundle = BundleIdentifier(TestStore.bundleIdentifier)
            try await store.service.setPrice(product: "apple", of: bundle, in: nil, to: "1.49")

            await home.refused(.priceChanged) {
                try await home.approve(number, by: home.olga, shown: Money(milliunits: 990, currency: "USD"))
            }
            #expect(try await home.phone.ask("apple", request: "r1").status == .deferred)
            let shown = Money(milliunits: 1490, currency: "USD")
            #expect(try await home.requests(for: home.olga).map(\.price) == [shown])
            try await home.approve(number, by: home.olga, shown: shown)

            #expect(try await store.amounts() == [1490])
        }
    }

    @Test("A product that was withdrawn can't be approved, and the request fails", arguments: Engine.stores)
    func withdrawn(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let number = try await home.ask("pear", request: "r1")
            try await store.sellOnly("apple")

            let outcome = try #require(try await home.requests(for: home.olga).first).outcome
            guard case .fails(let failure) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(failure.code == .storeProductNotAvailable)
            try await home.approve(number, by: home.olga)

            #expect(try await home.phone.ask("pear", request: "r1").failure?.code == .storeProductNotAvailable)
            #expect(try await store.ledger() == [])
        }
    }

    @Test("A parent whose card is declined may try again, and so may the other one", arguments: Engine.stores)
    func card(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let number = try await home.ask("apple", request: "r1")
            var answer = SandboxAnswer()
            answer.kind = .decline
            try await SettingSandboxAnswer(store.context)(answer, email: home.olga.email)

            await home.refused(.declined) { try await home.approve(number, by: home.olga) }
            #expect(try await home.phone.ask("apple", request: "r1").status == .deferred)
            try await home.approve(number, by: home.paul)

            #expect(try await store.payers() == [home.paul.identifier])
        }
    }

    @Test("A barred parent can't pay, and can decline", arguments: Engine.stores)
    func barred(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let number = try await home.ask("apple", request: "r1")
            _ = try await store.service.change(account: home.paul.email, .init(switches: [.barred: true]))

            await home.refused(.declined) { try await home.approve(number, by: home.paul) }
            #expect(try await home.phone.ask("apple", request: "r1").status == .deferred)
            try await store.service.decline(number, by: home.paul)
            #expect(try await home.phone.ask("apple", request: "r1").status == .failed)
        }
    }

    @Test(
        "The requests of a child that leaves the family, grows up, or whose family ends, fail",
        arguments: Engine.stores, ["leave", "grow up", "end"])
    func leaving(engine: Engine, how: String) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let number = try await home.ask("apple", request: "r1")

            switch how {
            case "leave": _ = try await store.families.remove(home.carl.email)
            case "grow up": _ = try await store.families.setRole(.adult, of: home.carl.email)
            default: try await store.families.end(organiser: home.olga.email)
            }

            #expect(try await home.phone.ask("apple", request: "r1").failure?.code == .paymentCancelled)
            #expect(try await store.count("device_news", where: "kind = 'request'") == 1)
            await home.refused(how == "grow up" ? .decided : .notFound) {
                try await home.approve(number, by: home.olga)
            }
            #expect(try await store.service.account(home.carl.email).has(.asksToBuy) == (how != "grow up"))
            let next = try await home.phone.ask("apple", request: "r2").status
            #expect(next == (how == "grow up" ? .authorise : .deferred))
            #expect(try await store.ledger() == [])
        }
    }

    @Test("A parent who becomes an adult, or leaves, can't approve any more", arguments: Engine.stores)
    func formerParent(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let number = try await home.ask("apple", request: "r1")
            _ = try await store.families.setRole(.adult, of: home.paul.email)
            await home.refused(.notFound) { try await home.approve(number, by: home.paul) }
            _ = try await store.families.remove(home.paul.email)
            await home.refused(.notFound) { try await home.approve(number, by: home.paul) }

            try await home.approve(number, by: home.olga)
            #expect(try await store.payers() == [home.olga.identifier])
        }
    }

    @Test("The operator's command still decides, and then the child's account pays", arguments: Engine.stores)
    func operators(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            try await store.service.approve(try await home.ask("apple", request: "r1"))
            try await store.service.decline(try await home.ask("pear", request: "r2"))

            #expect(try await store.payers() == [home.carl.identifier])
            #expect(try await home.phone.ask("pear", request: "r2").status == .failed)
        }
    }

    @Test("A parent can't close the account while a payment is under way", arguments: Engine.stores)
    func closing(engine: Engine) async throws {
        try await engine.withStore(provider: {
            BreakingProvider(books: SandboxPaymentProvider(database: $0, clock: TestClock().wallClock))
        }) { store in
            let home = try await Household(in: store)
            let number = try await home.ask("apple", request: "r1")

            _ = try? await store.service.approve(number, by: home.paul, shown: nil)
            await home.refused(.underWay) { try await ClosingAccount(store.context)(email: home.paul.email) }
            _ = try await store.families.remove(home.paul.email)
            try await RecoveringPayments(store.context)(begunUntil: store.clock.now)

            // The approval was made before the parent left.
            #expect(try await home.phone.ask("apple", request: "r1").status == .purchased)
            #expect(try await store.payers() == [home.paul.identifier])
            try await ClosingAccount(store.context)(email: home.paul.email)
        }
    }
}
