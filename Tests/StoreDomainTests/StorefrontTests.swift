// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Storefronts, limited products and barred accounts, on every engine.
struct StorefrontTests {
    @Test("Moving to another country reaches the account's devices, and their prices", arguments: Engine.stores)
    func moved(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.signIn(anna)
            var events = try await phone.connection.events(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil)
            ).makeAsyncIterator()
            let snapshot = try #require(try await events.next()?.content as? SnapshotEvent).snapshot
            #expect(snapshot.storefront?.countryCode == "USA")

            try await store.service.change(account: anna.email, .init(storefront: "DEU"))

            let moved = try #require(try await events.next()?.content as? StorefrontEvent)
            #expect(moved.storefront.countryCode == "DEU" && moved.position.number == 1)
            let listing = try await phone.call(
                ProductsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: ["apple"], languages: []))
            #expect(listing.products.map(\.currency) == ["EUR"])
            // Setting the same country again sends no event.
            #expect(try await store.service.change(account: anna.email, .init(storefront: "DEU")).eventNumber == 1)
        }
    }

    @Test("A product that isn't sold in a country is invalid there, and can't be paid for", arguments: Engine.stores)
    func limited(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.service.limit(
                product: "apple", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: ["DEU"])
            let berta = try await store.addAccount("berta@example.com", storefront: "DEU")
            let phone = try await store.addDevice()
            // No account is signed in: the storefront is known only when the sheet is confirmed.
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)
            let request = try await store.service.buy(onSheet: sheet, as: berta, shown: nil)
            #expect(request.failure?.code == .storeProductNotAvailable)

            let listing = try await phone.call(
                ProductsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: ["apple", "pear"], languages: []))
            #expect(listing.invalidProductIdentifiers == ["apple"])
            let answer = try await phone.ask("apple", request: "r2")
            #expect(answer.failure?.code == .storeProductNotAvailable)
            #expect(try await store.ledger() == [])

            try await store.service.limit(
                product: "apple", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: [])
            try await phone.buy("apple", request: "r3", as: berta)
            let unknown = await #expect(throws: DomainError.self) {
                try await store.service.limit(
                    product: "apple", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: ["XYZ"])
            }
            #expect(unknown?.code == .invalid)
        }
    }

    @Test("A barred account buys nothing, signed in or on the sheet", arguments: Engine.stores)
    func barred(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let account = try await store.service.change(account: anna.email, .init(switches: [.barred: true]))
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

            let request = try await store.service.buy(onSheet: sheet, as: account, shown: nil)
            #expect(request.failure?.code == .clientInvalid)
            #expect(try await phone.ask("apple", request: "r2").failure?.code == .clientInvalid)

            let free = try await store.service.change(account: anna.email, .init(switches: [.barred: false]))
            try await phone.buy("apple", request: "r3", as: free)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("A payment that the app withdraws fails, unless it is decided", arguments: Engine.stores)
    func withdrawn(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

            #expect(try await phone.withdraw("apple", request: "r1").failure?.code == .storeProductNotAvailable)
            let late = await #expect(throws: DomainError.self) {
                try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }
            #expect(late?.code == .sheetUsed)
            // A payment that the store has never received fails too.
            #expect(try await phone.withdraw("apple", request: "r2").failure?.code == .storeProductNotAvailable)

            let bought = try await phone.buy("apple", request: "r3", as: anna)
            #expect(try await phone.withdraw("apple", request: "r3").transaction == bought)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("Offers that a product doesn't have are refused by their own codes", arguments: Engine.stores)
    func offers(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            func ask(_ request: String, _ discount: DiscountInfo) async throws -> PurchaseFailure.Code? {
                try await phone.call(
                    PaymentCall(
                        requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier,
                        productIdentifier: "apple", quantity: 1, discount: discount)
                ).failure?.code
            }
            let offer = DiscountInfo(
                identifier: "spring", keyIdentifier: "KEY", nonce: "n", signature: "c2ln", timestamp: 1)
            #expect(try await ask("1", offer) == .invalidOfferIdentifier)
            var empty = offer
            empty.signature = ""
            #expect(try await ask("2", empty) == .missingOfferParams)
        }
    }
}

extension TestDevice {
    func withdraw(_ product: String, request: String) async throws -> PaymentCall.Answer {
        try await call(
            PaymentCall(
                requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier, productIdentifier: product,
                quantity: 1, isWithdrawn: true))
    }
}
