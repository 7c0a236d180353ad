// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The store's decisions about interrupted purchases, on every engine.
struct InterruptionTests {
    @Test(
        "An interrupted payment fails now, and is an unrequested purchase later",
        arguments: Engine.stores)
    func interrupted(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, phone) = try await store.interruptedCustomer()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

            let request = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)

            #expect(request.status == .interrupted)
            let failed = try await phone.ask("apple", request: "r1")
            #expect(failed.status == .failed && failed.failure?.code == .unknown)
            #expect(failed.failure?.underlying == .interrupted)
            #expect(try await store.ledger() == [])
            let number = try await store.onlyUndecided()

            try await store.service.resolve(number)
            try await store.service.resolve(number)

            let queue = try await phone.queue()
            #expect(queue.map(\.transactionIdentifier) == [number.rawValue])
            #expect(queue.map(\.requestIdentifier) == [nil])
            #expect(try await store.ledger() == [990])
            #expect(try await store.service.undecided().isEmpty)
        }
    }

    @Test(
        "A device that asks only after the interruption is resolved gets both: the failure and the purchase",
        arguments: Engine.stores)
    func resolvedBeforeHeard(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, phone) = try await store.interruptedCustomer()
            let sheet = try phone.token(try await phone.ask("juice", request: "r1").sheet)
            _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            let number = try await store.onlyUndecided()
            try await store.service.resolve(number)

            let answer = try await phone.ask("juice", request: "r1")

            #expect(answer.status == .failed && answer.failure?.underlying == .interrupted)
            #expect(answer.transaction == nil)
            #expect(try await phone.queue().map(\.transactionIdentifier) == [number.rawValue])
        }
    }

    @Test("A product bought in another way meanwhile costs nothing when it is resolved", arguments: Engine.stores)
    func boughtMeanwhile(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, phone) = try await store.interruptedCustomer()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)
            _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            let calm = try await store.service.change(
                account: anna.email, .init(switches: [.interruptsPurchases: false]))
            try await phone.buy("apple", request: "r2", as: calm)

            try await store.service.resolve(try await store.onlyUndecided())

            #expect(try await store.ledger() == [990, 0])
        }
    }

    @Test("Approving doesn't resolve, and resolving doesn't approve", arguments: Engine.stores)
    func kinds(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, phone) = try await store.interruptedCustomer()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)
            _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            let number = try await store.onlyUndecided()

            for attempt in [store.service.approve, store.service.decline] {
                let error = await #expect(throws: DomainError.self) { try await attempt(number) }
                #expect(error?.code == .notFound)
            }
            #expect(try await store.ledger() == [])
        }
    }

    @Test("A barred customer's interrupted purchase fails for good", arguments: Engine.stores)
    func barred(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, phone) = try await store.interruptedCustomer()
            let sheet = try phone.token(try await phone.ask("juice", request: "r1").sheet)
            _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            try await store.service.change(account: anna.email, .init(switches: [.barred: true]))

            let request = try await store.service.resolve(try await store.onlyUndecided())

            #expect(request.failure?.code == .clientInvalid)
            #expect(try await store.ledger() == [])
        }
    }
}

extension TestStore {
    /// A customer whose purchases are interrupted, signed in on a device.
    func interruptedCustomer() async throws -> (Account, TestDevice) {
        let anna = try await addAccount()
        let account = try await service.change(account: anna.email, .init(switches: [.interruptsPurchases: true]))
        let phone = try await addDevice()
        try await phone.signIn(account)
        return (account, phone)
    }
}
