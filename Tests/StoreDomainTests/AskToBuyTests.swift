// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The store's decisions about Ask to Buy, on every engine.
struct AskToBuyTests {
    @Test(
        "A child's request waits, is approved, and becomes the purchase that it has the number of",
        arguments: Engine.stores)
    func approved(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, phone) = try await store.child()

            #expect(try await phone.ask("apple", request: "r1").status == .deferred)
            #expect(try await phone.ask("apple", request: "r1").status == .deferred)
            #expect(try await store.ledger() == [])
            let request = try #require(try await store.service.undecided().first)
            #expect(request.productIdentifier == "apple" && request.account == anna.identifier)
            let number = try #require(request.transactionIdentifier)

            try await store.service.approve(number)

            let answer = try await phone.ask("apple", request: "r1")
            #expect(answer.status == .purchased)
            #expect(answer.transaction?.transactionIdentifier == number.rawValue)
            #expect(try await store.ledger() == [990])
            #expect(try await store.service.undecided().isEmpty)
            // A repeated approval changes nothing.
            try await store.service.approve(number)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("A request that is declined fails, charges nothing, and may be asked again", arguments: Engine.stores)
    func declined(engine: Engine) async throws {
        try await engine.withStore { store in
            let (_, phone) = try await store.child()
            _ = try await phone.ask("apple", request: "r1")
            let number = try await store.onlyUndecided()

            try await store.service.decline(number)
            try await store.service.decline(number)

            let answer = try await phone.ask("apple", request: "r1")
            #expect(answer.status == .failed && answer.failure?.code == .paymentCancelled)
            let late = await #expect(throws: DomainError.self) { try await store.service.approve(number) }
            #expect(late?.code == .decided)
            #expect(try await phone.ask("apple", request: "r2").status == .deferred)
            try await store.service.approve(try await store.onlyUndecided())
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("A request of a closed account can't be approved, and its payment ends", arguments: Engine.stores)
    func closedAccount(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, phone) = try await store.child()
            _ = try await phone.ask("apple", request: "r1")
            let number = try await store.onlyUndecided()

            try await ClosingAccount(store.context)(email: anna.email)

            #expect(try await store.service.undecided().isEmpty)
            let late = await #expect(throws: DomainError.self) { try await store.service.approve(number) }
            #expect(late?.code == .decided)
            let answer = try await phone.ask("apple", request: "r1")
            #expect(answer.status == .failed && answer.failure?.code == .clientInvalid)
            #expect(try await store.ledger() == [])
        }
    }

    @Test("An approved request can't be declined any more", arguments: Engine.stores)
    func decided(engine: Engine) async throws {
        try await engine.withStore { store in
            let (_, phone) = try await store.child()
            _ = try await phone.ask("juice", request: "r1")
            let number = try await store.onlyUndecided()
            try await store.service.approve(number)

            let late = await #expect(throws: DomainError.self) { try await store.service.decline(number) }
            #expect(late?.code == .decided)
            let unknown = await #expect(throws: DomainError.self) { try await store.service.approve("2000") }
            #expect(unknown?.code == .notFound)
            #expect(try await phone.ask("juice", request: "r1").status == .purchased)
        }
    }

    @Test("A child that isn't signed in asks on the sheet", arguments: Engine.stores)
    func onTheSheet(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            try await store.service.change(account: anna.email, .init(switches: [.asksToBuy: true]))
            let child = try await store.service.signIn(email: anna.email, password: TestStore.password)
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

            let request = try await store.service.buy(onSheet: sheet, as: child, shown: nil)

            #expect(request.status == .deferred)
            #expect(try await phone.ask("apple", request: "r1").status == .deferred)
            try await store.service.approve(try await store.onlyUndecided())
            #expect(try await phone.ask("apple", request: "r1").status == .purchased)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("simulatesAskToBuyInSandbox makes a child of anybody, for one payment", arguments: Engine.stores)
    func simulated(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.signIn(anna)

            let asked = try await phone.call(
                PaymentCall(
                    requestIdentifier: "r1", bundleIdentifier: TestStore.bundleIdentifier, productIdentifier: "apple",
                    quantity: 1, simulatesAskToBuy: true))

            #expect(asked.status == .deferred)
            #expect(try await phone.ask("pear", request: "r2").status == .authorise)
        }
    }

    @Test("A product that the child owns already needs no approval", arguments: Engine.stores)
    func owned(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, phone) = try await store.child()
            _ = try await phone.ask("apple", request: "r1")
            try await store.service.approve(try await store.onlyUndecided())

            let again = try await phone.buy("apple", request: "r2", as: anna)

            #expect(again.transactionIdentifier != again.originalTransactionIdentifier)
            #expect(try await store.ledger() == [990, 0])
        }
    }

    @Test("Two requests for one thing, both approved: paid once", arguments: Engine.stores)
    func twice(engine: Engine) async throws {
        try await engine.withStore { store in
            let (_, phone) = try await store.child()
            _ = try await phone.ask("apple", request: "r1")
            _ = try await phone.ask("apple", request: "r2")
            let numbers = try await store.service.undecided().compactMap(\.transactionIdentifier)
            #expect(numbers.count == 2)

            for number in numbers { try await store.service.approve(number) }

            #expect(try await store.ledger() == [990, 0])
            #expect(try await phone.queue().count == 2)
        }
    }

    @Test("A declined card leaves the request waiting for another try", arguments: Engine.stores)
    func card(engine: Engine) async throws {
        try await engine.withStore { store in
            let (_, phone) = try await store.child()
            _ = try await phone.ask("apple", request: "r1")
            let number = try await store.onlyUndecided()

            store.cardLimit.milliunits = 100
            let error = await #expect(throws: DomainError.self) { try await store.service.approve(number) }
            #expect(error?.code == .declined)
            #expect(try await phone.ask("apple", request: "r1").status == .deferred)

            store.cardLimit.milliunits = .max
            try await store.service.approve(number)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("A request for a product that was withdrawn meanwhile fails when it is approved", arguments: Engine.stores)
    func withdrawn(engine: Engine) async throws {
        try await engine.withStore { store in
            let (_, phone) = try await store.child()
            _ = try await phone.ask("pear", request: "r1")
            try await store.sellOnly("apple")

            let request = try await store.service.approve(try await store.onlyUndecided())

            #expect(request.failure?.code == .storeProductNotAvailable)
            #expect(try await store.ledger() == [])
        }
    }

    @Test("A store that dies while a request is approved charges it once, later", arguments: Engine.stores)
    func crash(engine: Engine) async throws {
        try await engine.withStore(provider: {
            BreakingProvider(books: SandboxPaymentProvider(database: $0, clock: TestClock().wallClock))
        }) { store in
            let (_, phone) = try await store.child()
            _ = try await phone.ask("apple", request: "r1")
            let number = try await store.onlyUndecided()

            _ = try? await store.service.approve(number)
            // The request stays deferred as long as it isn't decided.
            #expect(try await phone.ask("apple", request: "r1").status == .deferred)
            try await RecoveringPayments(store.context)(begunUntil: store.clock.now)

            #expect(try await phone.ask("apple", request: "r1").transaction?.transactionIdentifier == number.rawValue)
            #expect(try await store.ledger() == [990])
        }
    }
}

extension TestStore {
    /// A child who is signed in on a device.
    func child() async throws -> (Account, TestDevice) {
        let child = try await addAccount(asksToBuy: true)
        let phone = try await addDevice()
        try await phone.signIn(child)
        return (child, phone)
    }
}
