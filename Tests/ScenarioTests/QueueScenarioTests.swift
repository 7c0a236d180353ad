// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Queues with several transactions.
@Suite(.timeLimit(.hang))
struct QueueScenarioTests {
    @Test(
        "The same payment queued twice is two payments, also while the first is unfinished",
        arguments: Engine.allCases)
    func twice(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { app in
                try app.buy("juice")
                try app.buy("juice")
                let first = try await app.next(.purchased)
                while try app.agent.transactions.count(where: { $0.state == .purchased }) < 2 {
                    try await letOthersRun()
                }
                let both = try app.agent.transactions
                #expect(Set(both.compactMap(\.transactionIdentifier)).count == 2)

                // The same with a product that is owned and unfinished.
                try app.buy("apple")
                while try app.agent.transactions.count(where: { $0.state == .purchased }) < 3 {
                    try await letOthersRun()
                }
                try app.buy("apple")
                while try app.agent.transactions.count(where: { $0.state == .purchased }) < 4 {
                    try await letOthersRun()
                }
                #expect(first.payment.productIdentifier == "juice")
            }
            #expect(try await store.ledger() == [990, 490, 490, 0])
        }
    }

    @Test("The fields that the app sets in a payment come back with the transaction", arguments: Engine.allCases)
    func carried(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            let payment = AgentPayment(productIdentifier: "juice", quantity: 3, applicationUsername: "hash")
            try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { app in
                try app.agent.add(payment)
                let bought = try await app.next(.purchased)
                #expect(bought.payment == payment)

                var discounted = AgentPayment(productIdentifier: "apple")
                discounted.discount = DiscountInfo(
                    identifier: "spring", keyIdentifier: "KEY", nonce: "n", signature: "c2ln", timestamp: 1)
                try app.agent.add(discounted)
                let failed = try await app.next(.failed)
                #expect(failed.payment == discounted)
                #expect(failed.failure?.code == .invalidOfferIdentifier)
            }
            try await phone.launch { app in
                let again = try await app.next(.purchased)
                #expect(again.payment == payment)
            }
            #expect(try await store.ledger() == [1470])
        }
    }

    @Test(
        "A payment added without an observer is bought, and delivered to the first one", arguments: Engine.allCases)
    func withoutObserver(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { app in
                app.agent.stopObserving()
                try app.buy("juice")
                while try await store.count("queue_entry") == 0 { try await letOthersRun() }
            }
            try await phone.launch { app in
                let bought = try await app.next(.purchased)
                try app.agent.finish(bought.id)
                await store.waitUntilQueuesAreEmpty()
            }
            #expect(try await store.ledger() == [490])
        }
    }

    @Test(
        "An account with many purchases restores in pages, each once, and ends after the last",
        arguments: Engine.allCases)
    func restore(engine: Engine) async throws {
        try await engine.withStore { store in
            let count = RestoringPurchases.pageSize * 3 + 1
            let anna = try await store.addAccount()
            try await store.give(anna, purchases: count)
            let phone = try TestPhone(store)
            try await phone.signIn(anna)
            try await phone.launch { app in
                try app.agent.restoreCompletedTransactions()
                var originals: Set<String> = []
                var told = 0
                scene: while let update = await app.next() {
                    switch update {
                    case .updated(let transactions):
                        told += transactions.count
                        originals.formUnion(transactions.compactMap(\.original?.transactionIdentifier))
                    case .restoreFinished: break scene
                    default: break
                    }
                }
                #expect(told == count && originals.count == count)
            }
            #expect(try await phone.transactionsAfterLaunch().count == count)
        }
    }

    @Test(
        "Several hundred products in a request: those that aren't sold are listed in their order",
        arguments: Engine.allCases)
    func products(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try TestPhone(store)
            let unknown = (0..<600).map { "product\($0)" }
            try await phone.launch { app in
                let answer = try await app.agent.products(["apple"] + unknown + ["pear"])
                #expect(answer.products.map(\.productIdentifier) == ["apple", "pear"])
                #expect(answer.invalidProductIdentifiers == unknown)
            }
        }
    }
}

extension TestStore {
    /// Inserts finished purchases of an account.
    func give(_ account: Account, purchases count: Int) async throws {
        try await context.database.write { connection in
            for number in 0..<count {
                try connection.run(
                    """
                    INSERT INTO purchase (environment, transaction_id, original_transaction_id, account_id, bundle_id,
                        product_id, kind, quantity, purchased_at, original_purchased_at, milliunits, currency,
                        storefront, is_in_receipt, bucket)
                    VALUES ('Sandbox', $1, $1, $2, $3, $4, 'Non-Consumable', 1, $5, $5, 990, 'USD', 'USA', 1, $6)
                    """,
                    [
                        String(2_100_000_000_000_000 + number), account.identifier, Self.bundleIdentifier,
                        "fruit\(number)", Int64(1_600_000_000_000 + number), account.identifier.bucket,
                    ])
            }
        }
    }
}
