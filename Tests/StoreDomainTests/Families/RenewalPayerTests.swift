// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The account that pays the renewals of a child's subscription, on every engine.
@Suite(.timeLimit(.hang))
struct RenewalPayerTests {
    /// A change after which a parent doesn't pay for a child any more.
    enum Departure: String, CaseIterable, CustomTestStringConvertible {
        case closedAccount, leavingParent, formerParent, leavingChild, endOfFamily

        var testDescription: String { rawValue }

        func happen(to home: Household) async throws {
            let families = home.store.families
            switch self {
            case .closedAccount: try await ClosingAccount(home.store.context)(email: home.paul.email)
            case .leavingParent: _ = try await families.remove(home.paul.email)
            case .formerParent: _ = try await families.setRole(.adult, of: home.paul.email)
            case .leavingChild: _ = try await families.remove(home.carl.email)
            case .endOfFamily: try await families.end(organiser: home.olga.email)
            }
        }
    }

    /// A child with a weekly subscription that a parent has approved.
    private func subscribed(in store: TestStore) async throws -> (Household, Subscriber) {
        let home = try await Household(in: store)
        try await store.sellBaskets()
        try await home.approve(try await home.ask("weekly", request: "r1"), by: home.paul)
        return (home, Subscriber(store: store, account: home.carl, phone: home.phone))
    }

    /// Lets time pass, and carries out the work that is due.
    private func pass(_ hours: Int, in store: TestStore) async throws {
        store.clock.advance(by: .seconds(hours * 3600))
        await store.service.renewSubscriptions()
        try await store.recover()
    }

    @Test(
        "A parent who has left pays no renewal, and the amount that was authorised is released",
        arguments: Engine.stores, Departure.allCases)
    func authorised(engine: Engine, departure: Departure) async throws {
        try await engine.withStore { store in
            let (home, child) = try await subscribed(in: store)
            try await pass(6 * 24 + 1, in: store)
            #expect(try await store.payment("authorised") != nil)

            try await departure.happen(to: home)
            try await pass(24, in: store)

            #expect(try await store.payers() == [home.paul.identifier])
            #expect(try await store.payment("authorised") == nil)
            #expect(try await store.count("sandbox_payment", where: "status = 'voided'") == 1)
            #expect(try await child.subscription().state.expired == .other)
            try await store.checkMoney()
        }
    }

    @Test(
        "A parent who leaves before the charge pays no renewal, and no other account does",
        arguments: Engine.stores, Departure.allCases)
    func before(engine: Engine, departure: Departure) async throws {
        try await engine.withStore { store in
            let (home, child) = try await subscribed(in: store)

            try await departure.happen(to: home)
            try await pass(8 * 24, in: store)

            #expect(try await store.payers() == [home.paul.identifier])
            #expect(try await store.count("payment") == 1)
            #expect(try await child.subscription().state.expired == .other)
        }
    }

    @Test("A renewal that a bank confirms after its payer has left is released", arguments: Engine.stores)
    func confirmedLater(engine: Engine) async throws {
        try await engine.withStore { store in
            let (home, child) = try await subscribed(in: store)
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86400) }
            try await pass(6 * 24 + 1, in: store)
            let payment = try #require(try await store.payment("pending"))
            await home.refused(.underWay) { try await ClosingAccount(store.context)(email: home.paul.email) }

            _ = try await store.families.remove(home.paul.email)
            try await store.service.answer(payment, isConfirmed: true)
            try await store.settlePayments()
            try await pass(24, in: store)

            #expect(try await store.payment("voided") == payment)
            #expect(try await store.payers() == [home.paul.identifier])
            #expect(try await child.subscription().state.expired == .other)
            try await store.checkMoney()
        }
    }

    @Test(
        "A payer who leaves while a bank is asked leaves no retry, and the bank's late answer charges nothing",
        arguments: Engine.stores)
    func pendingAtTheEnd(engine: Engine) async throws {
        try await engine.withStore { store in
            let (home, child) = try await subscribed(in: store)
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86400) }
            try await pass(6 * 24 + 1, in: store)
            let payment = try #require(try await store.payment("pending"))
            _ = try await store.families.remove(home.paul.email)

            try await pass(24, in: store)
            #expect(try await child.subscription().state.expired == .other)

            try await store.service.answer(payment, isConfirmed: true)
            try await store.settlePayments()
            #expect(try await store.payment("voided") == payment)
            #expect(try await store.payers() == [home.paul.identifier])
            try await store.checkMoney()
        }
    }

    @Test("Another parent pays after a new approval", arguments: Engine.stores)
    func nextPayer(engine: Engine) async throws {
        try await engine.withStore { store in
            let (home, child) = try await subscribed(in: store)
            _ = try await store.families.remove(home.paul.email)
            try await pass(8 * 24, in: store)

            try await home.approve(try await home.ask("weekly", request: "r2"), by: home.olga)
            try await pass(8 * 24, in: store)

            #expect(try await store.payers() == [home.paul, home.olga, home.olga].map(\.identifier))
            #expect(try await child.status() == .active)
        }
    }

    @Test("A parent goes on paying for a child who grows up in the family", arguments: Engine.stores)
    func grownUp(engine: Engine) async throws {
        try await engine.withStore { store in
            let (home, _) = try await subscribed(in: store)
            _ = try await store.families.setRole(.adult, of: home.carl.email)

            try await pass(8 * 24, in: store)

            #expect(try await store.payers() == [home.paul.identifier, home.paul.identifier])
        }
    }

    @Test(
        "A barred parent isn't charged, and the charge is tried again later", arguments: Engine.stores, [0, 6 * 24 + 1])
    func barred(engine: Engine, hours: Int) async throws {
        try await engine.withStore { store in
            let (home, child) = try await subscribed(in: store)
            try await pass(hours, in: store)
            _ = try await store.service.change(account: home.paul.email, .init(switches: [.barred: true]))

            try await pass(7 * 24 + 1 - hours, in: store)
            #expect(try await store.payers() == [home.paul.identifier])
            #expect(try await child.status() == .billingRetry)

            _ = try await store.service.change(account: home.paul.email, .init(switches: [.barred: false]))
            try await pass(3 * 24, in: store)
            #expect(try await store.payers() == [home.paul.identifier, home.paul.identifier])
            #expect(try await child.status() == .active)
            try await store.checkMoney()
        }
    }

    @Test("A barred customer's renewal isn't captured, although it was authorised before", arguments: Engine.stores)
    func barredCustomer(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            try await anna.buy("weekly")
            try await pass(6 * 24 + 1, in: store)
            _ = try await store.service.change(account: anna.account.email, .init(switches: [.barred: true]))

            try await pass(24, in: store)

            #expect(try await anna.ledger() == [1490])
            #expect(try await anna.status() == .billingRetry)
            try await store.checkMoney()
        }
    }

    @Test("The parent who approves a free trial pays the renewals", arguments: Engine.stores)
    func trial(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            try await store.sellOffers()
            try await home.approve(try await home.ask("small", request: "r1"), by: home.olga)

            try await pass(8 * 24, in: store)

            #expect(try await store.amounts() == [0, 4990])
            #expect(try await store.payers() == [home.olga.identifier, home.olga.identifier])
        }
    }

    @Test(
        "Who has approved the newest purchase pays the renewals, and not who has paid an earlier one",
        arguments: Engine.stores, [true, false])
    func newest(engine: Engine, isParent: Bool) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            try await store.sellBaskets()
            let child = Subscriber(store: store, account: home.carl, phone: home.phone)
            let first = try await home.ask("weekly", request: "r1")
            if isParent { try await home.approve(first, by: home.olga) } else { try await store.service.approve(first) }
            try await child.setRenewal(false)
            try await pass(8 * 24, in: store)

            try await home.approve(try await home.ask("weekly", request: "r2"), by: home.paul)
            try await pass(8 * 24, in: store)

            let before = isParent ? home.olga : home.carl
            #expect(try await store.payers() == [before, home.paul, home.paul].map(\.identifier))
        }
    }

    @Test(
        "A parent who approves another plan pays from then on, in the place of the one who has paid before",
        arguments: Engine.stores)
    func plan(engine: Engine) async throws {
        try await engine.withStore { store in
            let (home, _) = try await subscribed(in: store)
            try await pass(6 * 24 + 1, in: store)

            try await home.approve(try await home.ask("yearly", request: "r2"), by: home.olga)
            try await pass(24, in: store)

            #expect(try await store.amounts() == [1490, 49990])
            #expect(try await store.payers() == [home.paul.identifier, home.olga.identifier])
            try await store.checkMoney()
        }
    }

    @Test("A payer leaves while two nodes renew: the renewal is paid before, or never", arguments: Engine.stores)
    func race(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            let (home, child) = try await subscribed(in: store)
            for round in 0..<(engine.isPostgreSQL ? 20 : 8) {
                store.clock.advance(by: .seconds(7 * 86400))
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await nodes.first.service.renewSubscriptions() }
                    group.addTask {
                        _ = try? await nodes.second.readTimes(round % 4)
                        _ = try? await nodes.second.families.remove(home.paul.email)
                    }
                }
                try await store.recover()
                await store.service.renewSubscriptions()
                let state = try await child.subscription().state
                #expect(state.expired == .other || state.expired == nil)
                #expect(try await store.payment("authorised") == nil)
                #expect(Set(try await store.payers()) == [home.paul.identifier])
                guard state.expired != nil else {
                    _ = try await store.families.add(home.paul.email, as: .parent, organiser: home.olga.email)
                    continue
                }
                _ = try await store.families.add(home.paul.email, as: .parent, organiser: home.olga.email)
                try await home.approve(try await home.ask("weekly", request: "again-\(round)"), by: home.paul)
            }
            try await store.checkMoney()
        }
    }
}
