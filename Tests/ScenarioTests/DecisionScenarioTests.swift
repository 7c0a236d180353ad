// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreAgent
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// Decisions of parents and of the store's operator about purchases.
@Suite(.timeLimit(.hang))
struct DecisionScenarioTests {
    @Test(
        "A child asks; a parent approves while the app is gone; it is bought at the next launch",
        arguments: Engine.allCases)
    func approvedWhileGone(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.childsPhone()
            try await phone.launch { app in
                try app.buy("apple")
                let asked = try await app.next(.deferred)
                #expect(asked.payment.productIdentifier == "apple")
                #expect(throws: AgentError.self) { try app.agent.finish(asked.id) }
            }
            try await phone.launch { app in _ = try await app.next(.deferred) }
            try await store.service.approve(try await store.onlyUndecided())

            try await phone.launch { app in
                let bought = try await app.next(.purchased)
                #expect(try phone.receiptPurchases().map(\.transactionIdentifier) == [bought.transactionIdentifier])
                try app.agent.finish(bought.id)
                await store.waitUntilQueuesAreEmpty()
            }

            #expect(try await store.ledger() == [990])
        }
    }

    @Test("A running app is notified of an approval and of a refusal, and asks again", arguments: Engine.allCases)
    func whileRunning(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.childsPhone()
            try await phone.launch { app in
                try app.buy("apple")
                _ = try await app.next(.deferred)
                try await store.service.decline(try await store.onlyUndecided())
                let failed = try await app.next(.failed)
                #expect(failed.failure?.code == .paymentCancelled)
                try app.agent.finish(failed.id)

                try app.buy("apple")
                let asked = try await app.next(.deferred)
                try await store.service.approve(try await store.onlyUndecided())
                let bought = try await app.next(.purchased)
                #expect(bought.id == asked.id)
                try app.agent.finish(bought.id)
                await store.waitUntilQueuesAreEmpty()
            }

            #expect(try await store.ledger() == [990])
        }
    }

    @Test(
        "An interrupted purchase fails now, and is delivered without being asked for later",
        arguments: Engine.allCases)
    func interrupted(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let account = try await store.service.change(
                account: anna.email, .init(switches: [.interruptsPurchases: true]))
            let phone = try TestPhone(store)
            try await phone.launch(customer: { try await $0.buy($1, as: account) }) { app in
                try app.buy("juice")
                let failed = try await app.next(.failed)
                #expect(failed.failure?.code == .unknown)
                #expect(failed.failure?.underlying?.domain == "ASDServerErrorDomain")
                try app.agent.finish(failed.id)
                #expect(try app.agent.transactions.isEmpty)

                try await store.service.resolve(try await store.onlyUndecided())
                let bought = try await app.next(.purchased)
                #expect(bought.id != failed.id)
                #expect(bought.payment.productIdentifier == "juice")
            }
            try await phone.launch { app in
                try app.agent.finish(try await app.next(.purchased).id)
                await store.waitUntilQueuesAreEmpty()
            }

            #expect(try await store.ledger() == [490])
        }
    }

    @Test("The refund of an unfinished purchase takes it out of the queue", arguments: Engine.allCases)
    func refundedUnfinished(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { app in
                try app.buy("juice")
                let bought = try await app.next(.purchased)

                try await store.service.refund(TransactionIdentifier(try #require(bought.transactionIdentifier)))

                #expect(try await app.removed().map(\.id) == [bought.id])
                #expect(try app.agent.transactions.isEmpty)
            }
            #expect(try await phone.transactionsAfterLaunch().isEmpty)
            #expect(try await store.ledger() == [490, -490])
        }
    }

    @Test(
        "The refund of a finished purchase is delivered when the receipt has it, also to an app that was gone",
        arguments: Engine.allCases)
    func refundedFinished(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            let bought = try await phone.buyAndFinish("apple", as: anna)
            try await phone.launch { app in
                try await store.service.refund(TransactionIdentifier(bought))
                #expect(try await app.revoked() == ["apple"])
                #expect(try phone.receiptPurchases().map { $0.cancellationDate != nil } == [true])
            }

            let again = try await phone.buyAndFinish("apple", as: anna)
            try await store.service.refund(TransactionIdentifier(again))
            try await phone.launch { app in
                let revoked = try await app.revoked()
                #expect(revoked == ["apple"])
            }
            #expect(try await store.ledger() == [990, 990, -990, -990])
        }
    }

    @Test("A refund takes back an unfinished transaction that was restored elsewhere", arguments: Engine.allCases)
    func refundedRestored(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            let tablet = try TestPhone(store)
            let bought = try await phone.buyAndFinish("apple", as: anna)
            try await tablet.signIn(anna)
            try await tablet.launch { app in
                try app.agent.restoreCompletedTransactions()
                let restored = try await app.next(.restored)
                try await store.service.refund(TransactionIdentifier(bought))
                #expect(try await app.removed().map(\.id) == [restored.id])
                #expect(try await app.revoked() == ["apple"])
            }
        }
    }

    @Test("The account moves: the app is notified, and a payment that it withdraws fails", arguments: Engine.allCases)
    func moved(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            try await phone.signIn(anna)
            let (opened, sheet) = AsyncStream.makeStream(of: String.self)
            try await phone.launch(customer: { sheet.yield($1) }) { app in
                try app.buy("apple")
                let asked = try await app.next(.purchasing)
                for await _ in opened { break }

                try await store.service.change(account: anna.email, .init(storefront: "DEU"))
                #expect(try await app.movedTo() == "DEU")
                #expect(app.agent.storefront?.countryCode == "DEU")
                try app.agent.withdraw(asked.id)

                let failed = try await app.next(.failed)
                #expect(failed.id == asked.id)
                #expect(failed.failure?.code == .storeProductNotAvailable)
            }
            #expect(try await store.ledger() == [])
        }
    }

    @Test("Signing out leaves the receipt until another account signs in", arguments: Engine.allCases)
    func signOut(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let berta = try await store.addAccount("berta@example.com")
            let phone = try TestPhone(store)
            let bought = try await phone.buyAndFinish("apple", as: anna)

            try await phone.launch { app in
                try await DeviceAccount(home: phone.home).signOut(over: phone.wire, request: "out")
                while try await store.count("device", where: "account_id IS NOT NULL") > 0 { try await letOthersRun() }
            }
            try await phone.launch { _ in
                let purchases = try phone.receiptPurchases()
                #expect(purchases.map(\.transactionIdentifier) == [bought])
            }
            try await phone.signIn(berta)
            #expect(try phone.receiptPurchases().isEmpty)
        }
    }

    @Test("A device that allows no payments fails them itself, for all of its apps", arguments: Engine.allCases)
    func restricted(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { app in
                #expect(app.agent.canMakePayments)
                try DeviceRestrictions(home: phone.home).allow(inAppPurchases: false)
                #expect(!app.agent.canMakePayments)
                try app.buy("apple")
                let failed = try await app.next(.failed)
                #expect(failed.failure?.code == .paymentNotAllowed)
                #expect(try await store.count("request") == 0)

                try DeviceRestrictions(home: phone.home).allow(inAppPurchases: true)
                try app.buy("apple")
                _ = try await app.next(.purchased)

                // A file that can't be read is a restriction, because it was written to set one.
                try Data("no JSON".utf8).write(to: phone.home.appendingPathComponent("restrictions.json"))
                #expect(!app.agent.canMakePayments)
            }
            #expect(try await store.ledger() == [990])
        }
    }

    @Test(
        "A transaction finished offline isn't shown at later launches, and its finish reaches the store later",
        arguments: Engine.allCases)
    func finishedOffline(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            try await phone.launch(customer: { try await $0.buy($1, as: anna) }) { app in
                try app.buy("juice")
                let bought = try await app.next(.purchased)
                phone.wire.cut()
                try app.agent.finish(bought.id)
                try app.agent.finish(bought.id)
                #expect(try await app.removed().map(\.id) == [bought.id])
            }
            #expect(try await phone.transactionsAfterLaunch().isEmpty)
            #expect(try await store.count("queue_entry") == 1)

            phone.wire.mend()
            let shown = Shows()
            try await phone.launch { app in
                shown.watch(app)
                await store.waitUntilQueuesAreEmpty()
            }
            #expect(shown.transactions.isEmpty)
            #expect(try await phone.transactionsAfterLaunch().isEmpty)
            #expect(try await store.ledger() == [490])
        }
    }
}

/// The transactions that an app has received in a launch.
final class Shows: Sendable {
    private let shown = Mutex<[AgentTransaction]>([])

    var transactions: [AgentTransaction] { shown.withLock { $0 } }

    func watch(_ app: TestApp) {
        app.agent.observe { updates in
            for case .updated(let transactions) in updates { self.shown.withLock { $0 += transactions } }
        }
    }
}

extension TestStore {
    /// A device on which a child is signed in.
    func childsPhone() async throws -> TestPhone {
        let child = try await addAccount(asksToBuy: true)
        let phone = try TestPhone(self)
        try await phone.signIn(child)
        return phone
    }
}

extension TestPhone {
    /// Buys a product and finishes its transaction, in one launch of the app.
    func buyAndFinish(_ product: String, as account: Account) async throws -> String {
        let (stream, numbers) = AsyncStream.makeStream(of: String.self)
        try await launch(customer: { try await $0.buy($1, as: account) }) { app in
            try app.buy(product)
            let bought = try await app.next(.purchased)
            try app.agent.finish(bought.id)
            await self.store.waitUntilQueuesAreEmpty()
            numbers.yield(bought.transactionIdentifier ?? "")
        }
        for await number in stream { return number }
        throw CancellationError()
    }
}
