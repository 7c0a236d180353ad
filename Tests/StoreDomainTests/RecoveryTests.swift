// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A payment that a crash leaves open is recovered by its number. Here an
/// error of the provider at each place simulates the crash; the kill tests
/// kill real processes.
struct RecoveryTests {
    /// A provider that fails once, at one place.
    private struct Failing: PassingProvider {
        enum Place: CaseIterable { case beforeAuthorise, afterAuthorise, beforeCapture, afterCapture }

        var books: SandboxPaymentProvider
        var place: Place
        let isBroken = Switch()

        func authorise(_ number: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation {
            if place == .beforeAuthorise { try isBroken.fail() }
            let answer = try await books.authorise(number, amount: amount, method: method)
            if place == .afterAuthorise { try isBroken.fail() }
            return answer
        }

        func capture(_ number: PaymentIdentifier) async throws {
            if place == .beforeCapture { try isBroken.fail() }
            try await books.capture(number)
            if place == .afterCapture { try isBroken.fail() }
        }
    }

    @Test("A payment left at any step is completed once, and its device is notified", arguments: Engine.stores)
    func takenUp(engine: Engine) async throws {
        for place in Failing.Place.allCases {
            try await engine.withDatabase(hasTables: true) { database in
                let provider = Failing(
                    books: SandboxPaymentProvider(database: database, clock: TestClock().wallClock), place: place)
                let store = try await TestStore(database, provider: provider)
                let anna = try await store.addAccount()
                let phone = try await store.addDevice()
                try await phone.signIn(anna)
                var events = try await phone.connection.events(
                    EventSubscription(
                        credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil)
                ).makeAsyncIterator()
                _ = try await events.next()
                let sheet = try phone.token(try await phone.ask("juice", request: "r1").sheet)

                _ = try? await store.service.buy(onSheet: sheet, as: anna, shown: nil)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await StoreHousekeeping(store.service).run() }
                    while let event = try await events.next() {
                        if let event = event.content as? TransactionEvent {
                            #expect(event.transaction.requestIdentifier == "r1", "\(place)")
                            break
                        }
                    }
                    // The first round, which also captures payments, runs before the first sleep.
                    while try await store.count("payment", where: "status = 'captured'") == 0 {
                        try await letOthersRun()
                    }
                    group.cancelAll()
                }

                #expect(try await phone.queue().map(\.requestIdentifier) == ["r1"], "\(place)")
                #expect(try await store.ledger() == [490], "\(place)")
                #expect(try await store.count("sandbox_payment", where: "status = 'captured'") == 1, "\(place)")
                #expect(try await store.count("sandbox_payment") == 1, "\(place)")
            }
        }
    }

    @Test("Recovery doesn't charge an account that was barred meanwhile", arguments: Engine.stores)
    func barred(engine: Engine) async throws {
        for place in [Failing.Place.beforeAuthorise, .afterAuthorise] {
            try await engine.withDatabase(hasTables: true) { database in
                let provider = Failing(
                    books: SandboxPaymentProvider(database: database, clock: TestClock().wallClock), place: place)
                let store = try await TestStore(database, provider: provider)
                let anna = try await store.addAccount()
                let phone = try await store.addDevice()
                let sheet = try phone.token(try await phone.ask("juice", request: "r1").sheet)
                _ = try? await store.service.buy(onSheet: sheet, as: anna, shown: nil)
                _ = try await store.service.change(account: anna.email, .init(switches: [.barred: true]))

                for _ in 0..<2 { try await RecoveringPayments(store.context)(begunUntil: store.clock.now) }

                #expect(try await store.ledger() == [], "\(place)")
                #expect(try await store.count("payment", where: "status = 'voided'") == 1, "\(place)")
                #expect(try await store.count("sandbox_payment", where: "status = 'voided'") == 1, "\(place)")
                #expect(try await phone.ask("juice", request: "r1").status == .failed, "\(place)")
            }
        }
    }

    @Test("One payment that can't be taken up doesn't hold up the others", arguments: Engine.stores)
    func eachForItself(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let provider = Failing(
                books: SandboxPaymentProvider(database: database, clock: TestClock().wallClock), place: .beforeAuthorise
            )
            let store = try await TestStore(database, provider: provider)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            for number in 0..<3 {
                provider.isBroken.breakAgain()
                let sheet = try phone.token(try await phone.ask("juice", request: "\(number)").sheet)
                _ = try? await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }

            // The first payment fails again, and the clock was ahead when the payments were made.
            provider.isBroken.breakAgain()
            store.clock.advance(by: .milliseconds(-1))
            try await RecoveringPayments(store.context)(begunUntil: store.clock.now)
            #expect(try await store.ledger() == [490, 490])
            store.clock.advance(by: .milliseconds(1))
            try await RecoveringPayments(store.context)(begunUntil: store.clock.now)
            #expect(try await store.ledger() == [490, 490, 490])
        }
    }

    @Test(
        "While nothing can be delivered purchases wait, and captures, refunds and declines don't",
        arguments: Engine.stores)
    func undeliverable(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let provider = Failing(
                books: SandboxPaymentProvider(database: database, clock: TestClock().wallClock), place: .afterAuthorise)
            let store = try await TestStore(database, provider: provider)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            for request in ["waits", "is declined"] {
                provider.isBroken.breakAgain()
                let sheet = try phone.token(try await phone.ask("juice", request: request).sheet)
                _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }
            try await phone.buy("apple", request: "is captured", as: anna)
            try await phone.buy("pear", request: "is refunded", as: anna)
            try await database.write { connection in
                try connection.run(
                    "UPDATE payment SET status = 'committed', leased_until = 0 WHERE request_id = 'is captured'")
                try connection.run(
                    """
                    UPDATE payment SET status = 'refunding', returned_milliunits = milliunits
                    WHERE request_id = 'is refunded'
                    """)
                try connection.run(
                    """
                    INSERT INTO refund (environment, refund_id, payment_number, milliunits, currency, reason, status,
                        created_at, bucket)
                    SELECT environment, 'f', payment_number, milliunits, currency, 'requested', 'due', created_at,
                        bucket
                    FROM payment WHERE status = 'refunding'
                    """)
                try connection.run(
                    """
                    UPDATE sandbox_payment SET status = 'declined' WHERE payment_number =
                        (SELECT payment_number FROM payment WHERE request_id = 'is declined')
                    """)
            }

            let recovering = RecoveringPayments(
                store.context, requireDeliverable: { throw DomainError(.clock, "The clock is wrong.") })
            try await recovering(begunUntil: store.clock.now)

            for (request, status) in [
                ("waits", "reserved"), ("is declined", "declined"), ("is captured", "captured"),
                ("is refunded", "refunded"),
            ] {
                let condition = "request_id = '\(request)' AND status = '\(status)'"
                #expect(try await store.count("payment", where: condition) == 1, "\(request)")
            }
            try await store.recover()
            #expect(try await phone.ask("juice", request: "waits").status == .purchased)
        }
    }

    @Test("A purchase that can't be made any more gives the money back", arguments: Engine.stores)
    func voided(engine: Engine) async throws {
        try await engine.withStore(
            provider: {
                Withdrawing(books: SandboxPaymentProvider(database: $0, clock: TestClock().wallClock), database: $0)
            }
        ) { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

            _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)

            #expect(try await phone.ask("apple", request: "r1").status == .failed)
            #expect(try await store.ledger() == [])
            #expect(try await store.count("sandbox_payment", where: "status = 'voided'") == 1)
            #expect(try await store.count("reservation") == 0)
        }
    }

    /// A provider during whose authorisation the product is deleted.
    private struct Withdrawing: PassingProvider {
        var books: SandboxPaymentProvider
        var database: any Database

        func authorise(_ number: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation {
            try await database.write { connection in
                for table in ["product_localization", "product_price", "product"] {
                    try connection.run("DELETE FROM \(table) WHERE product_id = 'apple'")
                }
            }
            return try await books.authorise(number, amount: amount, method: method)
        }
    }
}
