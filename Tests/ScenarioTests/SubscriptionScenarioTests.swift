// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// Subscriptions on whole devices.
@Suite(.timeLimit(.hang))
struct SubscriptionScenarioTests {
    @Test(
        "A renewal reaches each device as a purchase of its own number, and each device finishes its own",
        arguments: Engine.servers)
    func renewal(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellSmallBaskets()
            let anna = try await store.addAccount()
            let (phone, tablet) = (try TestPhone(store), try TestPhone(store))
            try await tablet.signIn(anna)
            let first = try await phone.buyBasket("small", as: anna)
            _ = try await store.service.move(clockOf: anna.email, .by(.seconds(32 * 86_400)))

            for device in [phone, tablet] {
                let received = try await device.receive(device === phone ? 1 : 2)
                #expect(received.allSatisfy { $0.state == .purchased })
                #expect(
                    received.allSatisfy {
                        $0.original?.transactionIdentifier == ($0.transactionIdentifier == first ? nil : first)
                    })
                #expect(Set(received.compactMap(\.transactionIdentifier)).count == received.count)
                #expect(received.contains { $0.transactionIdentifier == first } == (device === tablet))
                #expect(try device.receiptPurchases().count == 2)
            }
            #expect(try await phone.transactionsAfterLaunch().isEmpty)
            #expect(try await tablet.transactionsAfterLaunch().isEmpty)
        }
    }

    @Test(
        "A change to a lower plan gives the app the current transaction with the other product, also a finished one",
        arguments: Engine.servers, [true, false])
    func downgrade(engine: Engine, finishes: Bool) async throws {
        try await engine.withStore { store in
            try await store.sellSmallBaskets()
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { app in
                try app.buy("large")
                let current = try await app.next(.purchased)
                if finishes {
                    try app.agent.finish(current.id)
                    await store.waitUntilQueuesAreEmpty()
                }
                try app.buy("small")
                let again = try await app.next(.purchased)

                #expect(again.transactionIdentifier == current.transactionIdentifier)
                #expect(again.payment.productIdentifier == "small")
                try app.agent.finish(again.id)
                await store.waitUntilQueuesAreEmpty()
            }
            #expect(try await phone.transactionsAfterLaunch().isEmpty)
            #expect(try await store.ledger() == [9990])
        }
    }

    @Test(
        "An interrupted payment that only changes the plan when it is resolved delivers no transaction again",
        arguments: Engine.servers, [true, false])
    func interruptedChange(engine: Engine, finishes: Bool) async throws {
        try await engine.withStore { store in
            try await store.sellSmallBaskets()
            let anna = try await store.addAccount()
            _ = try await store.service.change(account: anna.email, .init(switches: [.interruptsPurchases: true]))
            let phone = try TestPhone(store)
            try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { app in
                try app.buy("small")
                try app.agent.finish(try await app.next(.failed).id)
                _ = try await store.service.change(account: anna.email, .init(switches: [.interruptsPurchases: false]))
                try app.buy("large")
                let current = try await app.next(.purchased)
                if finishes {
                    try app.agent.finish(current.id)
                    await store.waitUntilQueuesAreEmpty()
                }

                try await store.service.resolve(try await store.onlyUndecided())

                try #require(try await store.count("queue_entry") == (finishes ? 0 : 1))
                // The next purchase is the next update.
                try app.buy("juice")
                let juice = try await app.next(.purchased)
                #expect(juice.payment.productIdentifier == "juice")
                let unfinished = try app.agent.transactions
                #expect(Set(unfinished.map(\.id)) == Set([juice.id] + (finishes ? [] : [current.id])))
                for transaction in unfinished { try app.agent.finish(transaction.id) }
                await store.waitUntilQueuesAreEmpty()
            }
            #expect(try await phone.transactionsAfterLaunch().isEmpty)
            #expect(try await store.ledger() == [9990, 490])
        }
    }

    @Test("A device that was offline for months receives hundreds of renewals, each once", arguments: Engine.servers)
    func hundreds(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellSmallBaskets()
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            _ = try await store.service.move(clockOf: anna.email, .speed(.every2Seconds))
            _ = try await phone.buyBasket("small", as: anna)
            let count = ReadingQueue.pageSize + 10
            _ = try await store.service.move(clockOf: anna.email, .by(.seconds(2 * count)))

            let received = try await phone.receive(count)
            #expect(Set(received.compactMap(\.transactionIdentifier)).count == count)
            #expect(received.map(\.date) == received.map(\.date).sorted())
            #expect(try await phone.transactionsAfterLaunch().isEmpty)
        }
    }

    @Test(
        "A tablet that was offline for four months receives each renewal once, in order, and finishes it there alone",
        arguments: Engine.servers)
    func offline(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellSmallBaskets()
            let anna = try await store.addAccount()
            let (phone, tablet) = (try TestPhone(store), try TestPhone(store))
            try await tablet.signIn(anna)
            let first = try await phone.buyBasket("small", as: anna)
            var onPhone: [String] = []
            for month in 1...4 {
                let moved = try await store.service.move(clockOf: anna.email, .later(ClockDuration(months: 1)))
                #expect(moved.events.map(\.event.kind) == [.authorised, .renewed])
                // The phone keeps the last renewal.
                guard month < 4 else { break }
                onPhone += try await phone.receive(1).compactMap(\.transactionIdentifier)
            }

            let received = try await tablet.receive(5)

            #expect(received.allSatisfy { $0.state == .purchased })
            #expect(
                received.allSatisfy {
                    $0.original?.transactionIdentifier == ($0.transactionIdentifier == first ? nil : first)
                })
            #expect(received.compactMap(\.transactionIdentifier).prefix(4) == ([first] + onPhone)[...])
            #expect(received.map(\.date) == received.map(\.date).sorted())
            #expect(Set(received.compactMap(\.transactionIdentifier)).count == 5)
            #expect(try tablet.receiptPurchases().count == 5)
            #expect(try await tablet.transactionsAfterLaunch().isEmpty)
            let last = try await phone.receive(1)
            #expect(last.map(\.transactionIdentifier) == [received[4].transactionIdentifier])
            #expect(try await phone.transactionsAfterLaunch().isEmpty)
            #expect(try await store.ledger() == Array(repeating: 4990, count: 5))
        }
    }

    @Test("A restore gives each period with the first as original, and a refunded period leaves the queue alone")
    func restored() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.sellSmallBaskets()
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            let first = try await phone.buyBasket("small", as: anna)
            _ = try await store.service.move(clockOf: anna.email, .by(.seconds(100 * 86_400)))
            _ = try await phone.receive(3)

            try await phone.launch { app in
                try app.agent.restoreCompletedTransactions()
                #expect(try await app.restored() == nil)
                let restored = try app.agent.transactions
                #expect(restored.count == 4)
                #expect(restored.allSatisfy { $0.state == .restored })
                #expect(Set(restored.compactMap(\.original?.transactionIdentifier)) == [first])

                _ = try await store.service.refund(TransactionIdentifier(first))
                #expect(try await app.removed().count == 1)
                #expect(try await app.revoked() == ["small"])
                #expect(try app.agent.transactions.count == 3)
            }
        }
    }

    @Test("A device knows the account's time")
    func time() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            try await phone.signIn(anna)
            let day: Int64 = 86_400_000
            try await phone.launch { app in
                _ = try await store.service.move(clockOf: anna.email, .by(.seconds(86_400)))
                while app.agent.accountTime != store.clock.now.milliseconds + day { try await letOthersRun() }
            }
        }
    }
}

extension TestStore {
    /// Sells a large and a small basket, each for a month.
    fileprivate func sellSmallBaskets() async throws {
        func basket(_ name: String, _ price: String, _ level: Int) -> String {
            """
            { "productID" : "\(name)", "referenceName" : "\(name)", "displayPrice" : "\(price)",
              "internalID" : "\(name)", "familyShareable" : false, "type" : "RecurringSubscription",
              "recurringSubscriptionPeriod" : "P1M", "groupNumber" : \(level), "subscriptionGroupID" : "BASKETS",
              "localizations" : [] }
            """
        }
        let file = Self.catalogue.replacing(
            "\"version\" :",
            with: """
                "subscriptionGroups" : [
                  { "id" : "BASKETS", "name" : "Baskets", "localizations" : [], "subscriptions" : [
                    \(basket("large", "9.99", 1)), \(basket("small", "4.99", 2)) ] }
                ],
                "version" :
                """)
        let bundle = BundleIdentifier(Self.bundleIdentifier)
        try await ImportingCatalogue(context)(
            StoreKitConfigurationFile(Data(file.utf8), file: "baskets.storekit", bundleIdentifier: bundle),
            into: App(bundleIdentifier: bundle, name: "Fruit"))
    }
}

extension TestPhone {
    /// Launches the app, buys a subscription and finishes its transaction on
    /// this device.
    fileprivate func buyBasket(_ product: String, as account: Account) async throws -> String {
        let number = Mutex("")
        try await launch(customer: { try await $0.buy($1, as: account) }) { app in
            try app.buy(product)
            let bought = try await app.next(.purchased)
            number.withLock { $0 = bought.transactionIdentifier ?? "" }
            try app.agent.finish(bought.id)
            try await self.untilFinished(app)
        }
        return number.withLock { $0 }
    }

    /// Launches the app and finishes a number of purchased transactions.
    fileprivate func receive(_ count: Int) async throws -> [AgentTransaction] {
        let received = Mutex<[AgentTransaction]>([])
        try await launch { app in
            while received.withLock({ $0.count }) < count, let update = await app.next() {
                guard case .updated(let transactions) = update else { continue }
                for transaction in transactions { try app.agent.finish(transaction.id) }
                received.withLock { $0 += transactions }
            }
            try await self.untilFinished(app)
        }
        return received.withLock { $0 }
    }

    /// Waits until the store has confirmed every finish of this device.
    private func untilFinished(_ app: TestApp) async throws {
        let device = app.agent.credentials.identifier
        while try await store.count("queue_entry", where: "device_id = '\(device)'") > 0 { try await letOthersRun() }
    }
}
