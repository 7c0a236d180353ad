// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The store's decisions about purchases, on every engine.
struct PurchaseTests {
    @Test("A purchase is charged once, and waits in the queue of the device that asked", arguments: Engine.stores)
    func purchase(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()

            let bought = try await phone.buy("apple", request: "r1", as: anna)

            #expect(bought.transactionIdentifier.hasPrefix("2"))
            #expect(bought.requestIdentifier == "r1")
            #expect(try await phone.queue() == [bought])
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("Repeating a request gets the recorded answer, never a new charge", arguments: Engine.stores)
    func repeats(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()

            let first = try await phone.ask("apple", request: "r1")
            let second = try await phone.ask("apple", request: "r1")
            #expect(first == second)
            let bought = try await phone.buy("apple", request: "r1", as: anna)
            #expect(try await phone.ask("apple", request: "r1").transaction == bought)

            let mismatch = await #expect(throws: StoreFailure.self) { try await phone.ask("pear", request: "r1") }
            #expect(mismatch?.code == .requestMismatch)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test(
        "Buying an owned product is a regular, free transaction with a new identifier", arguments: Engine.stores)
    func ownedAlready(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            let first = try await phone.buy("apple", request: "r1", as: anna)

            let again = try await tablet.buy("apple", request: "r1", as: anna)

            #expect(again.transactionIdentifier != first.transactionIdentifier)
            #expect(again.originalTransactionIdentifier == first.transactionIdentifier)
            #expect(again.restores == nil)
            #expect(try await store.ledger() == [990, 0])
        }
    }

    @Test("A consumable is charged for each time, times its quantity", arguments: Engine.stores)
    func consumable(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()

            try await phone.buy("juice", request: "r1", as: anna)
            try await phone.buy("juice", request: "r2", quantity: 3, as: anna)

            #expect(try await store.ledger() == [1470, 490])
            #expect(try await phone.queue().map(\.quantity) == [1, 3])
        }
    }

    @Test("A product without a price is bought without the provider", arguments: Engine.stores)
    func free(engine: Engine) async throws {
        try await engine.withStore { store in
            store.cardLimit.milliunits = -1
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()

            try await phone.buy("seed", request: "r1", as: anna)

            #expect(try await store.ledger() == [0])
        }
    }

    @Test("Impossible payments fail with the error that Apple gives them", arguments: Engine.stores)
    func refusals(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()

            #expect(try await phone.ask("melon", request: "1").failure?.code == .paymentInvalid)
            #expect(try await phone.ask("juice", request: "2", quantity: 0).failure?.code == .paymentInvalid)
            #expect(try await phone.ask("juice", request: "3", quantity: 11).failure?.code == .paymentInvalid)
            #expect(try await phone.ask("juice", request: "4", quantity: -1).failure?.code == .paymentInvalid)
            #expect(try await phone.ask("apple", request: "5", quantity: 2).failure?.code == .paymentInvalid)
            #expect(try await phone.ask("juice", request: "6", quantity: 10).status == .authorise)
        }
    }

    @Test("A product that was withdrawn isn't listed and can't be paid for", arguments: Engine.stores)
    func withdrawn(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("pear", request: "r0").sheet)
            let anna = try await store.addAccount()
            try await store.sellOnly("apple")

            let listing = try await phone.call(
                ProductsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: ["apple", "pear"], languages: []))
            #expect(listing.products.map(\.productIdentifier) == ["apple"])
            #expect(listing.invalidProductIdentifiers == ["pear"])
            let answer = try await phone.ask("pear", request: "r1")
            #expect(answer.failure?.code == .storeProductNotAvailable)

            // The sheet was opened before that: nothing is charged.
            let request = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            #expect(request.failure?.code == .storeProductNotAvailable)
            #expect(try await store.ledger() == [])
        }
    }

    @Test("Another app's product is an invalid identifier", arguments: Engine.stores)
    func otherApp(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()

            let listing = try await phone.call(
                ProductsCall(bundleIdentifier: "com.example.other", productIdentifiers: ["apple"], languages: []))

            #expect(listing.invalidProductIdentifiers == ["apple"])
        }
    }

    @Test("A declined card is another try on the same sheet", arguments: Engine.stores)
    func declined(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

            store.cardLimit.milliunits = 100
            let error = await #expect(throws: DomainError.self) {
                try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }
            #expect(error?.code == .declined)
            #expect(try await store.ledger() == [])

            store.cardLimit.milliunits = .max
            _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("Another price than the customer saw is never charged", arguments: Engine.stores)
    func shownPrice(engine: Engine) async throws {
        try await engine.withStore { store in
            let berta = try await store.addAccount("berta@example.com", storefront: "DEU")
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

            let error = await #expect(throws: DomainError.self) {
                try await store.service.buy(
                    onSheet: sheet, as: berta, shown: AgreedTerms(price: Money(milliunits: 990, currency: "USD")))
            }
            #expect(error?.code == .priceChanged)
            #expect(try await store.ledger() == [])

            _ = try await store.service.buy(
                onSheet: sheet, as: berta, shown: AgreedTerms(price: Money(milliunits: 990, currency: "EUR")))
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("A transaction of another account on the device waits for that account", arguments: Engine.stores)
    func twoAccounts(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let berta = try await store.addAccount("berta@example.com")
            let phone = try await store.addDevice()
            let first = try phone.token(try await phone.ask("juice", request: "1").sheet)
            let second = try phone.token(try await phone.ask("juice", request: "2").sheet)

            _ = try await store.service.buy(onSheet: first, as: anna, shown: nil)
            _ = try await store.service.buy(onSheet: second, as: berta, shown: nil)

            #expect(try await phone.ask("juice", request: "1").status == .processing)
            #expect(try await phone.ask("juice", request: "2").transaction?.requestIdentifier == "2")
            try await phone.buy("juice", request: "3", as: anna)
            #expect(try await phone.ask("juice", request: "1").transaction?.requestIdentifier == "1")
        }
    }

    @Test("Eight devices of one account that buy concurrently own it once", arguments: Engine.stores)
    func race(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            var sheets: [String] = []
            for number in UInt8(1)...8 {
                let device = try await store.addDevice(number)
                sheets.append(try device.token(try await device.ask("apple", request: "r").sheet))
            }

            await withTaskGroup(of: Void.self) { group in
                for sheet in sheets {
                    group.addTask { _ = try? await store.service.buy(onSheet: sheet, as: anna, shown: nil) }
                }
            }

            let charges = try await store.ledger()
            #expect(charges.filter { $0 == 990 }.count == 1)
            #expect(charges.allSatisfy { $0 == 990 || $0 == 0 })
        }
    }
}
