// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Lists that are read with few statements, at the sizes around a batch.
struct BatchTests {
    @Test(
        "A batch has two texts, each value once, and as many parameters as its text",
        arguments: [0, 1, 2, 99, 100, 101, 250])
    func batches(count: Int) {
        let statement = BatchedStatement(firstPlace: 2) { "SELECT a FROM b WHERE c = $1 AND d IN (\($0))" }
        let values = (0..<count).map { "v\($0)" }

        let batches = statement.batches(of: values + values.reversed())

        var seen: Set<String> = []
        let distinct = batches.flatMap(\.values).filter { seen.insert($0).inserted }
        #expect(distinct == values)
        #expect(batches.count == (count + 99) / 100)
        for batch in batches {
            #expect([1, 100].contains(batch.values.count))
            #expect(batch.sql.hasSuffix("$\(batch.values.count + 1))"))
        }
        #expect(Set(batches.map(\.sql)).count <= 2)
    }

    @Test(
        "A products request lists its products in its order and each once, and so the unknown ones",
        arguments: Engine.stores)
    func products(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            try await store.sell(250)
            try await store.service.limit(
                product: "fruit1", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: ["USA"])
            for count in [0, 1, 2, 99, 100, 101, 250] {
                let sold = (0..<count).reversed().map { "fruit\($0)" }
                let asked = ["no-fruit"] + sold + ["", "no-fruit"] + sold.reversed()

                let listing = try await phone.call(
                    ProductsCall(
                        bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: asked, languages: ["de"]))

                #expect(listing.products.map(\.productIdentifier) == sold.filter { $0 != "fruit1" })
                #expect(
                    listing.invalidProductIdentifiers == (count > 1 ? ["no-fruit", "fruit1", ""] : ["no-fruit", ""]))
            }
        }
    }

    @Test("A product of a list has its own texts, prices and exclusions", arguments: Engine.stores)
    func parts(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let berta = try await store.addAccount("berta@example.com", storefront: "DEU")
            try await phone.signIn(berta)
            var configuration = try StoreKitConfigurationFile(
                Data(TestStore.catalogue.utf8), file: "test.storekit",
                bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier))
            let pear = try #require(configuration.products.firstIndex { $0.productIdentifier == "pear" })
            configuration.products[pear].prices = ["DEU": 2490, "USA": 1990]
            try await ImportingCatalogue(store.context)(
                configuration, into: App(bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier), name: "Fruit"))
            try await store.service.limit(
                product: "juice", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: ["DEU"])

            let listing = try await phone.call(
                ProductsCall(
                    bundleIdentifier: TestStore.bundleIdentifier,
                    productIdentifiers: ["seed", "juice", "pear", "apple"], languages: ["de"]))

            #expect(listing.products.map(\.title) == ["Seed", "Pear", "Apfel"])
            #expect(listing.products.map(\.milliunits) == [0, 2490, 990])
            #expect(listing.invalidProductIdentifiers == ["juice"])
        }
    }

    @Test("A queue lists the unfinished transactions of its app, in order of their events", arguments: Engine.stores)
    func queue(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            try await store.openSecondApp()
            var bought: [TransactionInfo] = []
            for number in 0..<5 {
                bought.append(try await phone.buy("juice", request: "\(number)", quantity: number + 1, as: anna))
                _ = try await tablet.buy("juice", request: "\(number)", as: anna)
                try await phone.buyElsewhere("juice", request: "other-\(number)", as: anna)
            }
            try await phone.finish(bought[2].transactionIdentifier)
            bought.remove(at: 2)

            #expect(try await phone.queue() == bought)
        }
    }

    @Test(
        "Events after a number have the transactions, refunds and finishes of their app only",
        arguments: Engine.stores)
    func events(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            try await store.openSecondApp()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let juice = try await phone.buy("juice", request: "2", as: anna)
            try await phone.buyElsewhere("pear", request: "3", as: anna)
            _ = try await tablet.buy("juice", request: "4", as: anna)
            try await phone.finish(juice.transactionIdentifier)
            _ = try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            let pear = try await phone.buy("pear", request: "5", as: anna)
            let account = anna.identifier.rawValue

            let feed = try await store.service.feed(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier,
                    position: EventPosition(account: account, number: 0)))
            var names: [String] = []
            var last: StoreEvent?
            for _ in 0..<9 {
                guard case .event(let event)? = try await feed.next() else { break }
                names.append(type(of: event.content).name)
                last = event
            }

            // The refunded and the finished transaction aren't in the queue any more: the device asks for their
            // requests.
            #expect(
                names == [
                    "request", "position", "request", "position", "position", "position", "removed", "revoked",
                    "transaction",
                ])
            #expect(last == .transaction(pear, EventPosition(account: account, number: 7)))
            // A snapshot has the refunds after the number that the device names.
            for (number, revoked) in [(Int64(5), ["apple"]), (6, [])] {
                let snapshot = try await phone.call(
                    QueueCall(
                        bundleIdentifier: TestStore.bundleIdentifier,
                        position: EventPosition(account: account, number: number)))
                #expect((snapshot.revoked ?? []).map(\.productIdentifier) == revoked)
            }
        }
    }

    @Test("A restore's list has each purchase once, in order, at every size of a batch", arguments: Engine.stores)
    func restore(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await store.sell(1)
            let first = try await phone.buy("fruit0", request: "1", as: anna)
            try await phone.finish(first.transactionIdentifier)
            var count = 1
            for size in [1, 2, 99, 100, 101, 199, 200, 201] {
                try await store.multiply(first, by: size - count, from: count)
                count = size

                var pages = [try await phone.restore(request: "restore-\(size)")]
                while let next = pages.last?.nextPage {
                    pages.append(try await phone.restore(request: "restore-\(size)", page: next))
                }

                let restored = pages.flatMap(\.transactions)
                let originals = restored.compactMap(\.restores?.transactionIdentifier)
                #expect(originals == [first.transactionIdentifier] + (1..<size).map { "copy\($0 + 1000)" })
                #expect(Set(restored.map(\.transactionIdentifier)).count == size)
                #expect(pages.count == (size + 199) / 200)
                #expect(try await phone.restore(request: "restore-\(size)") == pages[0])
            }
        }
    }

    @Test("Receipts of single transactions are found among unknown ones, once each", arguments: Engine.stores)
    func transactionReceipts(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            try await phone.finish(apple.transactionIdentifier)
            let restored = try #require(try await phone.restore(request: "restore").transactions.first)
            let known = [apple.transactionIdentifier, restored.transactionIdentifier]
            for count in [0, 1, 2, 99, 100] {
                let unknown = (0..<max(count - 3, 0)).map { "no-transaction-\($0)" }
                let asked = Array((known + unknown + [apple.transactionIdentifier]).prefix(count))

                let answer = try await phone.call(
                    TransactionReceiptsCall(
                        bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0", transactions: asked))

                #expect(Set(answer.receipts.keys) == Set(known.prefix(count)))
            }
        }
    }

    @Test("Purchases are listed page by page, of an account and of an app", arguments: Engine.stores)
    func purchases(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            try await store.openSecondApp()
            let list = ListingPurchases(store.context)
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            let empty = try await list(of: anna.identifier, bundleIdentifier: app)
            #expect(empty.purchases.isEmpty && empty.next == nil)
            let first = try await phone.buy("apple", request: "1", as: anna)
            try await phone.buyElsewhere("pear", request: "2", as: anna)
            var count = 1
            for size in [1, 200, 201, 450] {
                try await store.multiply(first, by: size - count, from: count)
                count = size
                let expected = [first.transactionIdentifier] + (1..<size).map { "copy\($0 + 1000)" }

                var ofAccount = [try await list(of: anna.identifier, bundleIdentifier: app)]
                while let next = ofAccount.last?.next {
                    ofAccount.append(try await list(of: anna.identifier, bundleIdentifier: app, after: next))
                }
                var inApp = [try await list(in: app)]
                while let next = inApp.last?.next { inApp.append(try await list(in: app, after: next)) }

                for pages in [ofAccount, inApp] {
                    #expect(pages.flatMap(\.purchases).map(\.transactionIdentifier.rawValue) == expected)
                    #expect(pages.count == (size + 199) / 200)
                }
            }
            try await phone.finish(first.transactionIdentifier)
            let changed = try await list.changed(
                after: AccountEvent.Position(account: anna.identifier, number: 1), bundleIdentifier: app)
            #expect(changed.purchases.map(\.transactionIdentifier.rawValue) == [first.transactionIdentifier])
            #expect(changed.next == nil)
        }
    }
}

extension TestStore {
    static let secondApp = "com.example.vegetables"

    /// Sells the same products in another app.
    func openSecondApp() async throws {
        try await ImportingCatalogue(context)(
            try StoreKitConfigurationFile(
                Data(Self.catalogue.utf8), file: "test.storekit", bundleIdentifier: BundleIdentifier(Self.secondApp)),
            into: App(bundleIdentifier: BundleIdentifier(Self.secondApp), name: "Vegetables"))
    }

    /// Adds copies of a purchase, each a millisecond later than the last.
    /// Their identifiers are `copy` and their place from 1000 on.
    fileprivate func multiply(_ purchase: TransactionInfo, by count: Int, from first: Int) async throws {
        guard count > 0 else { return }
        try await context.database.write { connection in
            _ = try connection.run(
                """
                WITH RECURSIVE series (i) AS (
                    SELECT CAST($2 AS BIGINT) UNION ALL SELECT i + 1 FROM series WHERE i < $3
                )
                INSERT INTO purchase (environment, transaction_id, original_transaction_id, account_id, bundle_id,
                    product_id, kind, quantity, purchased_at, original_purchased_at, milliunits, currency, storefront,
                    is_in_receipt, bucket)
                SELECT environment, 'copy' || (i + 1000), 'copy' || (i + 1000), account_id, bundle_id, product_id, kind,
                    quantity, purchased_at + i, purchased_at + i, milliunits, currency, storefront, is_in_receipt,
                    bucket
                FROM purchase, series WHERE environment = 'Sandbox' AND transaction_id = $1
                """, [purchase.transactionIdentifier, first, first + count - 1])
        }
    }
}

extension TestDevice {
    /// Buys a product of the second app.
    func buyElsewhere(_ product: String, request: String, as account: Account) async throws {
        let answer = try await call(
            PaymentCall(
                requestIdentifier: request, bundleIdentifier: TestStore.secondApp, productIdentifier: product,
                quantity: 1))
        _ = try await store.service.buy(onSheet: try token(answer.sheet), as: account, shown: nil)
    }
}
