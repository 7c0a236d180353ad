// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreAgent
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Whole purchases in one process: a real agent, a real store, real keys, and
/// the same messages between them as over HTTP.
@Suite(.timeLimit(.hang))
struct PurchaseScenarioTests {
    @Test("Anna buys an apple", arguments: Engine.allCases)
    func purchase(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)

            try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { app in
                try app.buy("apple")

                _ = try await app.next(.purchasing)
                let bought = try await app.next(.purchased)
                #expect(bought.payment.productIdentifier == "apple")
                let receipt = try UnverifiedAppReceipt(parsing: try Data(contentsOf: phone.receipt))
                #expect(receipt.contents.inAppPurchases.map(\.transactionIdentifier) == [bought.transactionIdentifier])

                try app.agent.finish(bought.id)
                let removed = try await app.removed()
                #expect(removed.map(\.id) == [bought.id])
                #expect(try app.agent.transactions.isEmpty)
                await store.waitUntilQueuesAreEmpty()
            }

            #expect(try await store.ledger() == [990])
            #expect(try await phone.transactionsAfterLaunch().isEmpty)
        }
    }

    @Test("A customer who cancels pays nothing, and each launch gets the failure", arguments: Engine.allCases)
    func cancel(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try TestPhone(store)
            try await phone.launch(customer: { try await $0.service.cancelSheet($1) }) { app in
                try app.buy("apple")
                let failed = try await app.next(.failed)
                #expect(failed.failure?.code == .paymentCancelled)
            }

            try await phone.launch { app in
                let failed = try await app.next(.failed)
                try app.agent.finish(failed.id)
            }

            #expect(try await phone.transactionsAfterLaunch().isEmpty)
            #expect(try await store.ledger() == [])
        }
    }

    @Test("The app is gone when the customer presses Buy: the purchase is made, and waits", arguments: Engine.allCases)
    func gone(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            let (opened, sheet) = AsyncStream.makeStream(of: String.self)
            try await phone.launch(customer: { sheet.yield($1) }) { app in
                try app.buy("apple")
                for await _ in opened { break }
            }
            try await store.buy(try await store.onlySheet(), as: anna)

            try await phone.launch { app in
                let bought = try await app.next(.purchased)
                try app.agent.finish(bought.id)
                await store.waitUntilQueuesAreEmpty()
            }

            #expect(try await store.ledger() == [990])
        }
    }

    @Test("An unanswered sheet ends the payment after ten minutes", arguments: Engine.allCases)
    func unanswered(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try TestPhone(store)
            try await phone.launch(customer: { store, _ in
                store.clock.advance(by: Sheet.lifetime)
                _ = try await ExpiringSheets(store.context)()
            }) { app in
                try app.buy("apple")
                let failed = try await app.next(.failed)
                #expect(failed.failure?.code == .paymentCancelled)
            }
        }
    }

    @Test("A second device restores, and buying there again is regular and free", arguments: Engine.allCases)
    func twoDevices(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            let tablet = try TestPhone(store)
            try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { app in
                try app.buy("apple")
                try app.agent.finish(try await app.next(.purchased).id)
                await store.waitUntilQueuesAreEmpty()
            }

            try await tablet.launch(customer: { store, sheet in
                if try await store.service.sheet(sheet).request.kind == .signIn {
                    try await store.service.signIn(onSheet: sheet, as: anna)
                } else {
                    try await store.buy(sheet, as: anna)
                }
            }) { app in
                try app.agent.restoreCompletedTransactions()
                let restored = try await app.next(.restored)
                #expect(restored.original?.payment.productIdentifier == "apple")
                #expect(restored.transactionIdentifier != restored.original?.transactionIdentifier)
                let failure = try await app.restored()
                #expect(failure == nil)
                try app.agent.finish(restored.id)

                try app.buy("apple")
                let again = try await app.next(.purchased)
                #expect(again.original?.transactionIdentifier == restored.original?.transactionIdentifier)
                try app.agent.finish(again.id)
                await store.waitUntilQueuesAreEmpty()
            }

            #expect(try await store.ledger() == [990, 0])
        }
    }

    @Test("Two processes of one app: sent once, shown to the one that asked", arguments: Engine.allCases)
    func twoProcesses(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)

            try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { first in
                try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { second in
                    try second.buy("apple")
                    let bought = try await second.next(.purchased)
                    #expect(try first.agent.transactions.isEmpty)
                    try second.agent.finish(bought.id)

                    try first.buy("pear")
                    let pear = try await first.next(.purchased)
                    #expect(pear.payment.productIdentifier == "pear")
                    #expect(try second.agent.transactions.isEmpty)
                    try first.agent.finish(pear.id)
                    await store.waitUntilQueuesAreEmpty()
                }
            }

            #expect(try await store.ledger() == [1990, 990])
        }
    }
}

extension TestPhone {
    /// The transactions in the queue after another launch.
    func transactionsAfterLaunch() async throws -> [AgentTransaction] {
        let (stream, found) = AsyncStream.makeStream(of: [AgentTransaction].self)
        try await launch { app in found.yield(try app.agent.transactions) }
        for await transactions in stream { return transactions }
        return []
    }
}

extension TestStore {
    /// The customer presses Buy.
    func buy(_ sheet: String, as account: Account) async throws {
        _ = try await service.buy(onSheet: sheet, as: account, shown: nil)
    }

    /// Waits until every finish has reached the store.
    func waitUntilQueuesAreEmpty() async {
        while (try? await count("queue_entry")) != 0, !Task.isCancelled { await Task.yield() }
    }

    /// The token of the only sheet there is.
    func onlySheet() async throws -> String {
        try await context.database.read { connection in
            try #require(try connection.row("SELECT token FROM sheet")?.get("token"))
        }
    }
}
