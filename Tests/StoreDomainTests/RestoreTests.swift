// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Restoring and finishing, and their effects on other devices.
struct RestoreTests {
    @Test("A restore gives non-consumables a new identifier each, and nothing else", arguments: Engine.stores)
    func restore(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            try await phone.buy("juice", request: "2", as: anna)
            try await phone.finish(apple.transactionIdentifier)
            try await tablet.signIn(anna)

            let page = try await tablet.restore(request: "restore")

            #expect(page.transactions.map(\.productIdentifier) == ["apple"])
            #expect(page.transactions.first?.restores?.transactionIdentifier == apple.transactionIdentifier)
            #expect(page.transactions.first?.transactionIdentifier != apple.transactionIdentifier)
            #expect(page.nextPage == nil)
            #expect(try await tablet.restore(request: "restore") == page)
            #expect(try await store.ledger() == [990, 490])
        }
    }

    @Test("A transaction that is unfinished in this queue isn't restored", arguments: Engine.stores)
    func unfinished(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "1", as: anna)

            #expect(try await phone.restore(request: "restore").transactions.isEmpty)
        }
    }

    @Test("An account with nothing to restore gets an empty last page", arguments: Engine.stores)
    func nothing(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            try await phone.signIn(try await store.addAccount())

            let page = try await phone.restore(request: "restore")

            #expect(page.transactions.isEmpty && page.nextPage == nil && page.sheet == nil)
        }
    }

    @Test("Who isn't signed in gets a sheet to sign in, then the list", arguments: Engine.stores)
    func signInFirst(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            try await phone.finish(apple.transactionIdentifier)

            let asked = try await tablet.restore(request: "restore")
            let sheet = try tablet.token(asked.sheet)
            #expect(try await tablet.restore(request: "restore").sheet == asked.sheet)
            let payment = await #expect(throws: DomainError.self) {
                try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }
            #expect(payment?.code == .invalid)
            try await store.service.signIn(onSheet: sheet, as: anna)

            #expect(try await tablet.restore(request: "restore").transactions.map(\.productIdentifier) == ["apple"])
        }
    }

    @Test("A closed sign-in sheet ends the restore as cancelled", arguments: Engine.stores)
    func cancelledSignIn(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.restore(request: "restore").sheet)

            try await store.service.cancelSheet(sheet)

            #expect(try await phone.restore(request: "restore").failure?.code == .paymentCancelled)
        }
    }

    @Test("Pages are fixed at the first one, also when more is bought meanwhile", arguments: Engine.stores)
    func pages(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await store.sell(450)
            for number in 0..<450 {
                let bought = try await phone.buy("fruit\(number)", request: "\(number)", as: anna)
                try await phone.finish(bought.transactionIdentifier)
            }

            var answer = try await phone.restore(request: "restore")
            var restored = answer.transactions
            let late = try await phone.buy("apple", request: "late", as: anna)
            try await phone.finish(late.transactionIdentifier)
            while let page = answer.nextPage {
                answer = try await phone.restore(request: "restore", page: page)
                restored += answer.transactions
            }

            #expect(restored.count == 450)
            #expect(Set(restored.map(\.transactionIdentifier)).count == 450)
            #expect(!restored.map(\.productIdentifier).contains("apple"))
        }
    }

    @Test("Finishing takes a purchase out of every queue; twice changes nothing", arguments: Engine.stores)
    func finish(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let bought = try await phone.buy("apple", request: "1", as: anna)

            try await phone.finish(bought.transactionIdentifier)
            try await phone.finish(bought.transactionIdentifier)

            #expect(try await phone.queue().isEmpty)
            #expect(try await store.count("event", where: "kind = 'finished'") == 1)
        }
    }

    @Test("One device can't finish another one's transaction", arguments: Engine.stores)
    func strangersFinish(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let bought = try await phone.buy("apple", request: "1", as: anna)
            let stranger = try await store.addDevice(9)

            try await stranger.finish(bought.transactionIdentifier)

            #expect(try await phone.queue().count == 1)
        }
    }
}

extension TestDevice {
    /// Signs in on the sheet of a receipt refresh.
    func signIn(_ account: Account, request: String = "sign-in") async throws {
        let answer = try await call(
            ReceiptCall(
                requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1",
                mayAskToSignIn: true))
        try await store.service.signIn(onSheet: try token(answer.sheet), as: account)
    }
}

extension TestStore {
    /// Adds a number of non-consumables to the catalogue: `fruit0`, `fruit1`
    /// ….
    func sell(_ count: Int) async throws {
        var configuration = try StoreKitConfigurationFile(
            Data(Self.catalogue.utf8), file: "test.storekit", bundleIdentifier: BundleIdentifier(Self.bundleIdentifier))
        configuration.products += (0..<count).map { number in
            Product(
                bundleIdentifier: BundleIdentifier(Self.bundleIdentifier), productIdentifier: "fruit\(number)",
                kind: .nonConsumable,
                referenceName: "Fruit \(number)", milliunits: 990, localizations: [])
        }
        try await ImportingCatalogue(context)(
            configuration, into: App(bundleIdentifier: BundleIdentifier(Self.bundleIdentifier), name: "Fruit"))
    }
}
