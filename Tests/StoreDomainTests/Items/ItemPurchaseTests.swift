// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Items that customers buy on the store's pages.
struct ItemPurchaseTests {
    private static let steps = [
        "reserve:before", "reserve:after", "authorise:before", "authorise:after", "commit:before", "commit:after",
        "capture:before", "capture:after",
    ]

    @Test("An item is charged once, keeps its version, and is on no device", arguments: Engine.stores)
    func bought(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.addItem(1001, version: "1.0", images: 2)
            let anna = try await store.addAccount(storefront: "DEU")
            let request = try await store.buyItem(1001, as: anna)
            #expect(request.status == .done)
            try await store.addItem(1001, version: "2.0")
            let again = try await store.buyItem(1001, as: anna)

            #expect(try await store.ledger() == [1090, 0])
            #expect(try await store.count("queue_entry") == 0)
            #expect(try await store.count("item_purchase") == 1)
            // The song belongs to no app.
            #expect(try await store.count("app_transaction") == 0)
            for bought in [request, again] {
                let number = try #require(bought.transactionIdentifier)
                let record = try await store.context.read { db in
                    try Purchase.find(number, of: anna.identifier, db).flatMap { try ItemPurchase.of($0, db) }
                }
                #expect(record?.version == "1.0")
            }
            let devices = try await store.service.devices(of: anna)
            #expect(devices.isEmpty)
        }
    }

    @Test(
        "An item that costs nothing is a purchase too, and a refunded one can be bought again", arguments: Engine.stores
    )
    func freeAndRefunded(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.addItem(1, price: "0")
            try await store.addItem(2)
            let anna = try await store.addAccount()
            #expect(try await store.buyItem(1, as: anna).status == .done)
            let paid = try #require(try await store.buyItem(2, as: anna).transactionIdentifier)
            try await store.service.refund(paid)
            #expect(try await store.buyItem(2, as: anna).status == .done)
            #expect(try await store.ledger() == [990, 990, 0, -990])
            #expect(try await store.count("item_purchase") == 3)
        }
    }

    @Test(
        "A process dies at each step of a purchase, and the item is bought once or not at all",
        arguments: Engine.stores, steps)
    func dying(engine: Engine, step: String) async throws {
        try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
            try await dying.addItem(7)
            let anna = try await dying.addAccount()
            let sheet = try await dying.orderItem(7, as: anna)
            _ = try? await dying.service.buy(onSheet: sheet, as: anna, shown: nil)
            #expect(database.isDead, "\(step) wasn't reached")

            let store = try await revive()
            try await store.recover()
            let isBought = step != "reserve:before"
            #expect(try await store.ledger() == (isBought ? [990] : []))
            #expect(try await store.count("item_purchase") == (isBought ? 1 : 0))
            #expect(try await store.count("purchase") == (isBought ? 1 : 0))
            try await store.buyItem(7, as: anna)
            #expect(try await store.ledger() == (isBought ? [990, 0] : [990]))
        }
    }

    @Test("Of eight sheets that are confirmed at the same time one is charged", arguments: Engine.stores)
    func concurrent(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.addItem(7)
            let anna = try await store.addAccount()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...8 {
                    group.addTask { try await allowingRefusal { try await store.buyItem(7, as: anna) } }
                }
                try await group.waitForAll()
            }
            #expect(try await store.ledger().filter { $0 > 0 } == [990])
            #expect(try await store.count("item_purchase") == 1)
        }
    }

    @Test("A parent approves a child's item, and an item that isn't sold in a country is refused there")
    func decided() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.addItem(7)
            let child = try await store.addAccount(asksToBuy: true)
            #expect(try await store.buyItem(7, as: child).status == .deferred)
            #expect(try await store.ledger().isEmpty)
            #expect(try await store.service.approve(try await store.onlyUndecided()).status == .done)
            #expect(try await store.ledger() == [990])
            #expect(try await store.count("queue_entry") == 0)

            let guest = try await store.addAccount("guest@example.com", storefront: "JPN")
            let refused = try await store.buyItem(7, as: guest)
            #expect(refused.status == .failed)
            await #expect(throws: DomainError(.notFound, "")) { _ = try await store.service.order(item: 8, for: child) }
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("Another customer who confirms an order isn't the customer of the next one")
    func otherCustomer() async throws {
        try await Engine.sqliteMemory.withStore { store in
            for item: Int64 in [7, 8] { try await store.addItem(item) }
            let anna = try await store.addAccount()
            let child = try await store.addAccount("child@example.com", asksToBuy: true)
            let sheet = try await store.orderItem(7, as: anna)
            #expect(try await store.service.buy(onSheet: sheet, as: child, shown: nil).status == .deferred)
            // The order would wait for the child's parent.
            #expect(try await store.buyItem(8, as: anna).status == .done)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("No device can register as the one of a customer's pages")
    func device() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.addItem(7)
            let anna = try await store.addAccount()
            try await store.buyItem(7, as: anna)
            let pages = Device.pages(of: anna.identifier)
            let registering = RegisteringDevice(store.context)
            await #expect(throws: DomainError(.deviceTaken, "")) { try await registering(pages, secret: "") }
            await #expect(throws: DomainError(.unknownDevice, "")) { try await registering.check(pages, secret: "") }
        }
    }
}
