// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Choices of a child for a subscription that a parent pays: each that makes it
/// dearer, now or later, is asked for, on each page and device.
@Suite(.timeLimit(.hang))
struct AskedChoiceTests {
    /// A child whose small basket, 4.99 a month, Olga has approved.
    private func subscribed(_ store: TestStore, to product: String = "small") async throws -> (Household, Subscriber) {
        let home = try await Household(in: store)
        try await home.approve(try await home.ask(product, request: "first"), by: home.olga)
        #expect(try await home.requests(for: home.olga).isEmpty)
        return (home, Subscriber(store: store, account: home.carl, phone: home.phone))
    }

    private func original(_ carl: Subscriber) async throws -> OriginalTransactionIdentifier {
        try await carl.subscription().subscription.original
    }

    /// The only request that waits for Olga.
    private func only(_ home: Household) async throws -> ChildRequest {
        let requests = try await home.requests(for: home.olga)
        return try #require(requests.count == 1 ? requests.first : nil, "\(requests.map(\.productIdentifier))")
    }

    /// Presses Buy on a device on which no account is signed in.
    private func buyElsewhere(
        _ product: String, _ home: Household, discount: DiscountInfo? = nil, on device: UInt8 = 31
    ) async throws -> DeviceRequest {
        let tablet = try await home.store.addDevice(device)
        let sheet = try await tablet.call(
            PaymentCall(
                requestIdentifier: UUID().uuidString, bundleIdentifier: TestStore.bundleIdentifier,
                productIdentifier: product, quantity: 1, applicationUsername: nil, discount: discount,
                acceptsRunning: true)
        ).sheet
        return try await home.store.service.buy(onSheet: try tablet.token(sheet), as: home.carl, shown: nil)
    }

    private func control(_ verb: Control.Verb, _ call: some Encodable, _ store: TestStore) async throws {
        _ = try await store.service.control(verb, try JSONEncoder().encode(call))
    }

    enum Door: CaseIterable {
        case page, sheet, control
    }

    @Test(
        "A dearer plan for the next period waits for the parent, who pays it", arguments: Engine.stores, Door.allCases)
    func plan(engine: Engine, door: Door) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (home, carl) = try await subscribed(store)
            let number = try await original(carl)
            switch door {
            case .page:
                // The second press of the button asks for nothing more.
                for _ in 0..<2 { try await store.service.choose("yearly", of: number, account: home.carl) }
            case .sheet: #expect(try await buyElsewhere("yearly", home).status == .deferred)
            case .control:
                let call = Control.ChoosePlanCall(transaction: number.rawValue, product: "yearly")
                try await control(.choosePlan, call, store)
            }
            #expect(try await carl.subscription().state.nextProduct == "small")
            let request = try await only(home)
            #expect(request.productIdentifier == "yearly" && request.child.email == home.carl.email)

            try await home.approve(request.transaction, by: home.olga)

            #expect(try await carl.subscription().state.nextProduct == "yearly")
            try await carl.advance(.later(try ClockDuration("40d")))
            #expect(try await carl.ledger() == [4990, 49_990])
            #expect(try await store.payers() == [home.olga.identifier, home.olga.identifier])
        }
    }

    @Test("A plan that a parent declines isn't chosen", arguments: Engine.stores)
    func declined(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (home, carl) = try await subscribed(store)
            try await store.service.choose("yearly", of: try await original(carl), account: home.carl)

            try await store.service.decline(try await only(home).transaction, by: home.paul)

            try await carl.advance(.later(try ClockDuration("40d")))
            #expect(try await carl.ledger() == [4990, 4990])
        }
    }

    @Test("A child's agreement to a higher price waits for the parent", arguments: Engine.stores, Door.allCases)
    func increase(engine: Engine, door: Door) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (home, carl) = try await subscribed(store)
            try await store.raise(to: "49.99")
            let number = try await original(carl)
            switch door {
            case .page:
                for _ in 0..<2 {
                    try await store.service.answerPriceIncrease(true, of: number, account: home.carl)
                }
            case .sheet:
                let asked = try await RequiringPriceConsent(store.context)(
                    "c", of: BundleIdentifier(TestStore.bundleIdentifier),
                    on: DeviceIdentifier(home.phone.credentials.identifier))
                guard case .sheet(let token) = asked else {
                    Issue.record("\(asked)")
                    return
                }
                try await store.service.agree(onSheet: token, to: nil, as: home.carl, shown: nil)
                #expect(try await store.service.sheet(token).refusal != nil)
            case .control:
                let call = Control.AnswerPriceConsentCall(transaction: number.rawValue, agrees: true)
                try await control(.answerPriceConsent, call, store)
            }
            #expect(try await carl.increase()?.isAgreed == false)
            let request = try await only(home)
            #expect(request.productIdentifier == "small")

            try await home.approve(request.transaction, by: home.olga)

            #expect(try await carl.increase()?.isAgreed == true)
            try await carl.advance(.later(try ClockDuration("75d")))
            #expect(try await carl.ledger() == [4990, 49_990, 49_990])
        }
    }

    @Test("Without the parent's answer the subscription ends before the higher price", arguments: Engine.stores)
    func unanswered(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (home, carl) = try await subscribed(store)
            try await store.raise(to: "49.99")
            try await store.service.answerPriceIncrease(true, of: try await original(carl), account: home.carl)

            try await carl.advance(.later(try ClockDuration("75d")))

            #expect(try await carl.ledger() == [4990])
            #expect(try await carl.subscription().state.expired == .priceIncrease)
        }
    }

    @Test(
        "A child turns the renewal off alone, and on with the parent's approval", arguments: Engine.stores,
        Door.allCases)
    func renewal(engine: Engine, door: Door) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (home, carl) = try await subscribed(store)
            let number = try await original(carl)
            try await store.service.setRenewal(false, of: number, account: home.carl)
            #expect(try await carl.subscription().state.renews == false)
            switch door {
            case .page: try await store.service.setRenewal(true, of: number, account: home.carl)
            case .sheet: #expect(try await buyElsewhere("small", home).status == .deferred)
            case .control:
                try await control(
                    .setRenewal, Control.SetRenewalCall(transaction: number.rawValue, renews: true), store)
            }
            #expect(try await carl.subscription().state.renews == false)

            try await home.approve(try await only(home).transaction, by: home.olga)

            #expect(try await carl.subscription().state.renews)
            #expect(try await carl.ledger() == [4990])
        }
    }

    @Test(
        "A member who decides alone pays for its own dearer plan and for a renewal that it turns on, and the parent doesn't",
        arguments: Engine.stores, [false, true])
    func alone(engine: Engine, isPlan: Bool) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (home, carl) = try await subscribed(store)
            let number = try await original(carl)
            _ = try await store.families.setRole(.adult, of: home.carl.email)
            if isPlan {
                try await store.service.choose("yearly", of: number, account: home.carl)
            } else {
                try await store.service.setRenewal(false, of: number, account: home.carl)
                try await store.service.setRenewal(true, of: number, account: home.carl)
            }

            try await carl.advance(.later(try ClockDuration("40d")))

            #expect(try await store.payers() == [home.olga.identifier, home.carl.identifier])
            #expect(try await carl.ledger() == [4990, isPlan ? 49_990 : 4990])
        }
    }

    @Test("An increase of which a seller only informs needs the consent of a parent who pays", arguments: Engine.stores)
    func told(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (home, carl) = try await subscribed(store)
            try await store.raise(to: "5.49", .change, .told)
            #expect(try await carl.increase()?.isUndecided == true)
            try await store.service.answerPriceIncrease(true, of: try await original(carl), account: home.carl)
            #expect(try await carl.increase()?.isUndecided == true)

            try await home.approve(try await only(home).transaction, by: home.olga)

            try await carl.advance(.later(try ClockDuration("40d")))
            #expect(try await carl.ledger() == [4990, 5490])
        }
    }

    @Test(
        "A choice keeps its terms: at a higher price the waiting request can't be approved, and a new one is asked for",
        arguments: Engine.stores)
    func dearerSince(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (home, carl) = try await subscribed(store)
            let number = try await original(carl)
            try await store.service.choose("yearly", of: number, account: home.carl)
            try await store.raise("yearly", to: "59.99")

            for _ in 0..<2 { try await store.service.choose("yearly", of: number, account: home.carl) }

            let requests = try await home.requests(for: home.olga)
            // Both are of one moment.
            #expect(Set(requests.map(\.price?.milliunits)) == [nil, 59_990] && requests.count == 2)
            try await home.approve(try #require(requests.first { $0.price != nil }).transaction, by: home.olga)
            #expect(try await carl.subscription().state.nextProduct == "yearly")
        }
    }

    @Test(
        "A child turns no renewal on while its product isn't sold, for which no parent could be asked",
        arguments: Engine.stores)
    func unsold(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (home, carl) = try await subscribed(store)
            let number = try await original(carl)
            try await store.service.setRenewal(false, of: number, account: home.carl)
            let availability = SettingAvailability(store.context)
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            try await availability("small", of: app, isNotSoldIn: ["USA"])

            await home.refused(.invalid) {
                try await store.service.setRenewal(true, of: number, account: home.carl)
            }

            try await availability("small", of: app, isNotSoldIn: [])
            try await carl.advance(.later(try ClockDuration("40d")))
            #expect(try await carl.ledger() == [4990])
        }
    }

    @Test(
        "Only the parent who has paid a period reads that an upgrade gives a part of it back", arguments: Engine.stores)
    func givenBack(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (home, _) = try await subscribed(store)
            _ = try await home.ask("large", request: "upgrade")
            func givenBack(to parent: Account) async throws -> Money? {
                guard case .buys(_, let terms) = try await home.requests(for: parent).first?.outcome else { return nil }
                return terms?.givenBack
            }
            #expect(try await givenBack(to: home.olga)?.milliunits ?? 0 > 0)
            #expect(try await givenBack(to: home.paul) == nil)
        }
    }

    @Test("A choice that costs no more needs no parent", arguments: Engine.stores)
    func cheaper(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let (home, carl) = try await subscribed(store, to: "large")
            try await store.service.choose("small", of: try await original(carl), account: home.carl)
            #expect(try await carl.subscription().state.nextProduct == "small")
            #expect(try await home.requests(for: home.olga).isEmpty)
            // The way back costs more than the plan that the child has chosen.
            try await store.service.choose("large", of: try await original(carl), account: home.carl)
            #expect(try await carl.subscription().state.nextProduct == "small")
            #expect(try await only(home).productIdentifier == "large")
        }
    }

    @Test(
        "A code that turns the renewal on waits for the parent, one that only makes it cheaper doesn't",
        arguments: Engine.stores, [true, false])
    func codes(engine: Engine, renews: Bool) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let codes = try await store.codes(TestStore.order("stay", size: 1))
            let (home, carl) = try await subscribed(store, to: "plain")
            if !renews { try await store.service.setRenewal(false, of: try await original(carl), account: home.carl) }

            #expect(try await carl.redeem(codes[0]).status == (renews ? .done : .deferred))

            if !renews {
                #expect(try await carl.subscription().state.renews == false)
                try await home.approve(try await only(home).transaction, by: home.olga)
            }
            let state = try await carl.subscription().state
            #expect(state.renews && state.nextOffer?.identifier == "stay")
            #expect(try await carl.ledger() == [5990])
        }
    }

    @Test(
        "An offer that turns the renewal on waits for the parent, one that only makes it cheaper doesn't",
        arguments: Engine.stores)
    func offers(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let (home, carl) = try await subscribed(store, to: "plain")
            // Cheaper months need no parent.
            let cheap = try await buyElsewhere("plain", home, discount: try seller.discount())
            #expect(cheap.status == .done)
            try await store.service.setRenewal(false, of: try await original(carl), account: home.carl)

            let free = try seller.discount(offer: "free")
            let asked = try await buyElsewhere("plain", home, discount: free, on: 32)

            #expect(asked.status == .deferred)
            #expect(try await carl.subscription().state.renews == false)
            #expect(try await carl.subscription().state.nextOffer?.identifier == "spring")
        }
    }
}
