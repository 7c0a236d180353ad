// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// The payment methods of customers, on every engine.
struct PaymentMethodTests {
    /// A provider whose first call is lost on the way, and which records the
    /// method of each call.
    private struct Recording: PassingProvider {
        final class Calls: Sendable {
            private let references = Mutex<[String?]>([])
            var all: [String?] { references.withLock { $0 } }
            func note(_ reference: String?) { references.withLock { $0.append(reference) } }
        }

        var books: SandboxPaymentProvider
        let calls = Calls()
        let line = Switch()

        func authorise(_ number: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation {
            calls.note(method)
            try line.fail()
            return try await books.authorise(number, amount: amount, method: method)
        }
    }

    @Test("The first method is preferred, and when it is removed, the oldest of the others", arguments: Engine.stores)
    func preferred(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            #expect(try await store.methods.list(of: anna.identifier).preferred == .standard)
            let first = try await store.addMethod(.accepted, to: anna)
            let second = try await store.addMethod(.bank, to: anna)
            let third = try await store.addMethod(.expiring, to: anna)
            let all = try await store.methods.list(of: anna.identifier)
            #expect(Set(all.methods.map(\.digits)) == ["0001", "0003", "0004"])
            #expect(all.preferred == .method(first))

            #expect(try await store.methods.prefer(third, of: anna.identifier).preferred == .method(third))
            #expect(try await store.methods.remove(second, of: anna.identifier).preferred == .method(third))
            #expect(try await store.methods.remove(third, of: anna.identifier).preferred == .method(first))
            #expect(
                try await store.methods.remove(first, of: anna.identifier).preferred == PaymentMethod.Preferred.none)

            let other = try await store.addAccount("bert@example.com")
            let his = try await store.addMethod(.accepted, to: other)
            for change in [store.methods.prefer, store.methods.remove] {
                let refused = await #expect(throws: DomainError.self) { _ = try await change(his, anna.identifier) }
                #expect(refused?.code == .notFound)
            }
            for _ in 0..<9 { try await store.addMethod(.accepted, to: other) }
            let full = await #expect(throws: DomainError.self) { try await store.addMethod(.accepted, to: other) }
            #expect(full?.code == .invalid)
        }
    }

    @Test("After a decline the customer chooses another method, which is charged", arguments: Engine.stores)
    func chosen(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            let declined = try await store.addMethod(.declined, to: anna.account)
            let accepted = try await store.addMethod(.accepted, to: anna.account)
            let sheet = try await anna.appleSheet(request: "r1")
            await anna.refused(.declined) { try await anna.buy(on: sheet) }
            let view = try await store.service.sheet(sheet, as: try await store.service.account(anna.account.email))
            #expect(view.refusal == nil && Set(view.methods.map(\.identifier)) == [declined, accepted])
            // The app's customer isn't known yet.
            #expect(try await store.service.sheet(sheet).methods.isEmpty)

            #expect(try await anna.buy(on: sheet, by: accepted).status == .done)

            #expect(try await store.chargedMethods() == [declined.rawValue, accepted.rawValue])
            #expect(try await store.ledger() == [990])
            try await store.checkMoney()
        }
    }

    @Test("A method of another account, or one that was removed, isn't charged", arguments: Engine.stores)
    func strangers(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.addMethod(.accepted, to: anna.account)
            let removed = try await store.addMethod(.accepted, to: anna.account)
            _ = try await store.methods.remove(removed, of: anna.account.identifier)
            let bert = try await store.addAccount("bert@example.com")
            let his = try await store.addMethod(.accepted, to: bert)
            let sheet = try await anna.appleSheet(request: "r1")

            for method in [his, removed] {
                await anna.refused(.priceChanged) { try await anna.buy(on: sheet, by: method) }
            }

            #expect(try await store.count("payment") == 0)
            #expect(try await anna.buy(on: sheet).status == .done)
        }
    }

    @Test("An account that has removed its last method pays nothing, until it adds another", arguments: Engine.stores)
    func none(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            let method = try await store.addMethod(.accepted, to: anna.account)
            _ = try await store.methods.remove(method, of: anna.account.identifier)
            let sheet = try await anna.appleSheet(request: "r1")

            await anna.refused(.declined) { try await anna.buy(on: sheet) }
            #expect(try await store.count("payment") == 0)
            #expect(try await store.count("reservation") == 0)
            #expect(try await anna.phone.ask("apple", request: "r1").status == .authorise)

            try await store.addMethod(.accepted, to: anna.account)
            #expect(try await anna.buy(on: sheet).status == .done)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("A product that costs nothing needs no method", arguments: Engine.stores)
    func free(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            let method = try await store.addMethod(.accepted, to: anna.account)
            _ = try await store.methods.remove(method, of: anna.account.identifier)
            #expect(try await anna.phone.buy("seed", request: "r1", as: anna.account).productIdentifier == "seed")
        }
    }

    @Test("A method of a bank lets the payment wait for the customer's step", arguments: Engine.stores)
    func bank(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.addMethod(.bank, to: anna.account)
            let sheet = try await anna.buyPendingApple()
            let number = try #require(try await store.payment("pending"))
            #expect(try await store.service.sheet(sheet).pending?.address == "/sandbox/payments/\(number)")

            try await store.service.answerOnPage(number, isConfirmed: true)

            #expect(try await anna.phone.ask("apple", request: "r1").status == .purchased)
            try await store.checkMoney()
        }
    }

    @Test("A payment that a crash left is charged by its method, which was removed since", arguments: Engine.stores)
    func recovered(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let provider = Recording(books: SandboxPaymentProvider(database: database, clock: TestClock().wallClock))
            let store = try await TestStore(database, provider: provider)
            let anna = try await store.customer()
            let method = try await store.addMethod(.accepted, to: anna.account)
            let sheet = try await anna.appleSheet(request: "r1")
            #expect(try await anna.buy(on: sheet).status == .processing)

            _ = try await store.methods.remove(method, of: anna.account.identifier)
            try await store.addMethod(.declined, to: anna.account)
            try await store.endLeases()
            try await store.recover()

            #expect(provider.calls.all == ["accepted", "accepted"])
            #expect(try await anna.phone.ask("apple", request: "r1").status == .purchased)
            #expect(try await store.chargedMethods() == [method.rawValue])
            try await store.checkMoney()
        }
    }

    @Test("An interrupted purchase is charged by the method that its customer has chosen", arguments: Engine.stores)
    func interrupted(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.addMethod(.declined, to: anna.account)
            let chosen = try await store.addMethod(.accepted, to: anna.account)
            _ = try await store.service.change(
                account: anna.account.email, .init(switches: [.interruptsPurchases: true]))
            let sheet = try await anna.appleSheet(request: "r1")
            #expect(try await anna.buy(on: sheet, by: chosen).status == .interrupted)

            try await store.service.resolve(try await store.onlyUndecided())

            #expect(try await store.chargedMethods() == [chosen.rawValue])
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("A parent who approves is charged by the parent's method", arguments: Engine.stores)
    func parents(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            try await store.addMethod(.accepted, to: home.carl)
            let declined = try await store.addMethod(.declined, to: home.paul)
            let number = try await home.ask("apple", request: "r1")
            await home.refused(.declined) { try await home.approve(number, by: home.paul) }
            #expect(try await store.ledger() == [])

            let accepted = try await store.addMethod(.accepted, to: home.paul)
            _ = try await store.methods.prefer(accepted, of: home.paul.identifier)
            try await home.approve(number, by: home.paul)

            #expect(try await store.chargedMethods() == [declined.rawValue, accepted.rawValue])
            #expect(try await store.payers() == [home.paul.identifier])
        }
    }

    @Test("An account that is closed has no methods any more", arguments: Engine.stores)
    func closed(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.addMethod(.accepted, to: anna.account)
            try await ClosingAccount(store.context)(email: anna.account.email)
            #expect(try await store.count("payment_method") == 0)
            #expect(try await store.count("account", where: "payment_method IS NOT NULL") == 0)
        }
    }
}

extension Customer {
    /// Presses Buy on a sheet.
    @discardableResult
    func buy(on sheet: String, by method: PaymentMethodIdentifier? = nil) async throws -> DeviceRequest {
        try await phone.store.service.buy(onSheet: sheet, as: account, shown: nil, method: method)
    }

    /// Requires that a call is refused with a code.
    func refused(_ code: DomainError.Code, _ body: () async throws -> Void) async {
        let error = await #expect(throws: DomainError.self) { try await body() }
        #expect(error?.code == code)
    }
}

extension TestStore {
    var methods: ChangingPaymentMethods { ChangingPaymentMethods(context) }

    /// Adds a method to an account. Its age is another than that of the others.
    @discardableResult
    func addMethod(_ method: SandboxMethod, to account: Account) async throws -> PaymentMethodIdentifier {
        let before = try await methods.list(of: account.identifier).methods
        clock.advance(by: .milliseconds(1))
        let after = try await methods.add(method, to: account.identifier).methods
        return try #require(after.first { !before.contains($0) }?.identifier)
    }

    /// The methods of all payments, in order of time.
    func chargedMethods() async throws -> [String] {
        try await context.database.read { connection in
            try connection.rows(
                "SELECT COALESCE(method_id, '') AS method FROM payment ORDER BY created_at, status DESC"
            )
            .map { try $0.get("method") }
        }
    }
}
