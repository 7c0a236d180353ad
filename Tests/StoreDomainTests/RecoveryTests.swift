// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// What a crash leaves behind is taken up by the payment's number. Here the
/// process "dies" by an error thrown out of the provider at each place; the
/// kill tests do it with real processes.
struct RecoveryTests {
    /// Fails at one place, once.
    private struct Failing: PaymentProvider {
        enum Place: CaseIterable { case beforeAuthorise, afterAuthorise, beforeCapture, afterCapture }

        var books: SandboxPaymentProvider
        var place: Place
        let isBroken = Switch()

        func authorise(_ number: String, amount: Money) async throws -> Authorisation {
            if place == .beforeAuthorise { try isBroken.fail() }
            let answer = try await books.authorise(number, amount: amount)
            if place == .afterAuthorise { try isBroken.fail() }
            return answer
        }

        func lookUp(_ number: String) async throws -> Authorisation? { try await books.lookUp(number) }

        func capture(_ number: String) async throws {
            if place == .beforeCapture { try isBroken.fail() }
            try await books.capture(number)
            if place == .afterCapture { try isBroken.fail() }
        }

        func void(_ number: String) async throws { try await books.void(number) }
    }

    @Test("A payment left at any step is completed once", arguments: Engine.allCases)
    func takenUp(engine: Engine) async throws {
        for place in Failing.Place.allCases {
            try await engine.withDatabase { database in
                let provider = Failing(books: SandboxPaymentProvider(database: database), place: place)
                let store = try await TestStore(database, provider: provider)
                let anna = try await store.addAccount()
                let phone = try await store.addDevice()
                let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

                _ = try? await store.service.buy(onSheet: sheet, as: anna, shown: nil)
                let recovering = RecoveringPayments(store.context)
                _ = try await recovering(begunUntil: store.clock.now, now: store.clock.now)
                _ = try await recovering(begunUntil: store.clock.now, now: store.clock.now)

                #expect(try await phone.queue().map(\.requestIdentifier) == ["r1"], "\(place)")
                #expect(try await store.ledger() == [990], "\(place)")
                #expect(try await store.count("sandbox_payment", where: "status = 'captured'") == 1, "\(place)")
                #expect(try await store.count("payment", where: "status = 'captured'") == 1, "\(place)")
            }
        }
    }
}
