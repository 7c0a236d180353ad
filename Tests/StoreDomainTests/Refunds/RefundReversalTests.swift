// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Refunds that are taken back.
@Suite(.timeLimit(.hang))
struct RefundReversalTests {
    private static let first = String(repeating: "1a", count: 16)
    private static let steps = [
        "reverse:before", "reverse:after", "takeback:before", "takeback:saving", "takeback:after",
    ]

    private func refused(_ code: DomainError.Code, _ body: () async throws -> Void) async {
        let error = await #expect(throws: DomainError.self) { try await body() }
        #expect(error?.code == code)
    }

    @Test("The customer has the product again, and the store the money, once", arguments: Engine.stores)
    func nonConsumable(engine: Engine) async throws {
        try await engine.withStore { store in
            let customer = try await store.customer()
            let (apple, phone) = (try await customer.apple(), customer.phone)
            try await phone.finish(apple.rawValue)
            try await store.service.refund(apple)
            #expect(try await phone.restore(request: "s1").transactions.isEmpty)

            for _ in 0..<2 {
                let reversed = try await store.service.reverseRefund(of: apple)
                #expect(reversed.transactionIdentifier == apple && reversed.revoked == nil)
            }

            #expect(try await store.ledger() == [990, 990, -990])
            #expect(try await store.count("payment", where: "status = 'captured' AND returned_milliunits = 0") == 1)
            let books = "status = 'captured' AND refunded_milliunits = 0"
            #expect(try await store.count("sandbox_payment", where: books) == 1)
            #expect(try await store.count("refund", where: "status = 'reversed'") == 1)
            let listed = try await phone.receipt().contents.inAppPurchases
            #expect(listed.map(\.transactionIdentifier) == [apple.rawValue])
            #expect(listed.allSatisfy { $0.cancellationDate == nil })
            #expect(try await phone.restore(request: "s2").transactions.count == 1)
            // It is owned, so that buying it again costs nothing.
            let again = try await phone.buy("apple", request: "again", as: customer.account)
            #expect(again.originalTransactionIdentifier == apple.rawValue)
            #expect(try await store.ledger() == [990, 990, 0, -990])
        }
    }

    @Test("After a reversal the purchase can be refunded and reinstated again", arguments: Engine.stores)
    func refundedAgain(engine: Engine) async throws {
        try await engine.withStore { store in
            let apple = try await store.customer().apple()
            try await store.service.refund(apple, identifier: Self.first)
            let reversal = String(repeating: "2b", count: 16)
            try await store.service.reverseRefund(of: apple, identifier: reversal)
            // Repeated calls, as after lost answers.
            #expect(try await store.service.refund(apple, identifier: Self.first).revoked == nil)
            #expect(try await store.service.reverseRefund(of: apple, identifier: reversal).revoked == nil)

            #expect(try await store.service.refund(apple).revoked != nil)
            #expect(try await store.service.reverseRefund(of: apple, identifier: reversal).revoked != nil)
            #expect(try await store.ledger() == [990, 990, -990, -990])
            await refused(.requestMismatch) {
                try await store.service.reverseRefund(of: apple, identifier: Self.first)
            }

            #expect(try await store.service.reverseRefund(of: apple).revoked == nil)
            #expect(try await store.ledger() == [990, 990, 990, -990, -990])
            #expect(try await store.count("refund", where: "status = 'reversed'") == 2)
            try await store.checkMoney()
        }
    }

    @Test("A transaction that was unfinished is delivered again", arguments: Engine.stores)
    func unfinished(engine: Engine) async throws {
        try await engine.withStore { store in
            let customer = try await store.customer()
            let (phone, tablet) = (customer.phone, try await store.addDevice(2))
            _ = try await tablet.buy("pear", request: "pear", as: customer.account)
            let juice = try await phone.buy("juice", request: "juice", as: customer.account).transactionIdentifier
            let apple = try await customer.apple()
            for device in [phone, tablet] { try await store.use(device) }
            for number in [TransactionIdentifier(juice), apple] {
                try await store.service.refund(number)
                try await store.service.reverseRefund(of: number)
            }

            // A consumable has one holder, the device that has asked.
            #expect(try await phone.queue().map(\.transactionIdentifier) == [juice, apple.rawValue])
            #expect(try await phone.queue().allSatisfy { $0.requestIdentifier == nil })
            #expect(!(try await tablet.queue().contains { $0.transactionIdentifier == juice }))
            #expect(try await tablet.queue().contains { $0.transactionIdentifier == apple.rawValue })
            let listed = try await phone.receipt().contents.inAppPurchases.map(\.transactionIdentifier)
            #expect(listed.contains(juice) && listed.contains(apple.rawValue))
            try await phone.finish(juice)
            #expect(!(try await phone.receipt().contents.inAppPurchases.contains { $0.transactionIdentifier == juice }))
            #expect(try await phone.queue().map(\.transactionIdentifier) == [apple.rawValue])
        }
    }

    @Test("A purchase that is finished after its refund isn't delivered again", arguments: Engine.stores)
    func finishedAfterwards(engine: Engine) async throws {
        try await engine.withStore { store in
            let customer = try await store.customer()
            let (phone, tablet, strange) = (
                customer.phone, try await store.addDevice(2), try await store.addDevice(3)
            )
            let berta = try await store.addAccount("berta@example.com")
            _ = try await strange.buy("pear", request: "pear", as: berta)
            let juice = try await phone.buy("juice", request: "juice", as: customer.account).transactionIdentifier
            let water = try await phone.buy("juice", request: "water", as: customer.account).transactionIdentifier
            let apple = try await customer.apple().rawValue
            for device in [phone, tablet] { try await store.use(device) }
            try await tablet.signIn(customer.account)
            for number in [juice, water, apple] {
                try await store.service.refund(TransactionIdentifier(number))
            }
            // Finishes of devices that had the transactions, and of one that hadn't.
            try await phone.finish(juice)
            try await strange.finish(water)
            try await tablet.finish(apple)
            for number in [juice, water, apple] {
                try await store.service.reverseRefund(of: TransactionIdentifier(number))
            }

            #expect(try await phone.queue().map(\.transactionIdentifier) == [water])
            let listed = try await phone.receipt().contents.inAppPurchases.map(\.transactionIdentifier)
            #expect(Set(listed) == [water, apple])
        }
    }

    @Test("A finished consumable isn't delivered again", arguments: Engine.stores)
    func finished(engine: Engine) async throws {
        try await engine.withStore { store in
            let customer = try await store.customer()
            let juice = try await customer.phone.buy("juice", request: "juice", as: customer.account)
                .transactionIdentifier
            try await customer.phone.finish(juice)
            try await store.service.refund(TransactionIdentifier(juice))
            try await store.service.reverseRefund(of: TransactionIdentifier(juice))

            #expect(try await customer.phone.queue().isEmpty)
            #expect(try await customer.phone.receipt().contents.inAppPurchases.isEmpty)
            #expect(try await store.ledger() == [490, 490, -490])
            try await store.checkMoney()
        }
    }

    @Test("A refund isn't taken back from an account that is closed, or that is barred", arguments: Engine.stores)
    func nobodyPays(engine: Engine) async throws {
        try await engine.withStore { store in
            let customer = try await store.customer()
            let apple = try await customer.apple()
            try await store.service.refund(apple)
            _ = try await store.service.change(account: customer.account.email, .init(switches: [.barred: true]))
            await refused(.declined) { try await store.service.reverseRefund(of: apple) }
            _ = try await store.service.change(account: customer.account.email, .init(switches: [.barred: false]))
            try await ClosingAccount(store.context)(email: customer.account.email)

            await refused(.decided) { try await store.service.reverseRefund(of: apple) }

            #expect(try await store.ledger() == [990, -990])
            #expect(try await store.count("refund", where: "status = 'done'") == 1)
            try await store.checkMoney()
        }
    }

    @Test(
        "A refund isn't taken back from a parent who, or for a child that, has no account any more",
        arguments: Engine.stores, [true, false])
    func closedFamily(engine: Engine, isParent: Bool) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let apple = try await home.ask("apple", request: "r1")
            try await home.approve(apple, by: home.paul)
            try await store.service.refund(apple)
            try await ClosingAccount(store.context)(email: isParent ? home.paul.email : home.carl.email)

            await refused(.decided) { try await store.service.reverseRefund(of: apple) }

            #expect(try await store.ledger() == [990, -990])
        }
    }

    @Test("A product that was bought again prevents the reversal until it is refunded", arguments: Engine.stores)
    func boughtAgain(engine: Engine) async throws {
        try await engine.withStore { store in
            let customer = try await store.customer()
            let apple = try await customer.apple()
            try await store.service.refund(apple)
            let again = try await customer.phone.buy("apple", request: "again", as: customer.account)

            await refused(.decided) { try await store.service.reverseRefund(of: apple) }
            #expect(try await store.count("purchase", where: "revoked_at IS NULL") == 1)
            #expect(try await store.ledger() == [990, 990, -990])

            try await store.service.refund(TransactionIdentifier(again.transactionIdentifier))
            try await store.service.reverseRefund(of: apple)
            #expect(try await store.count("purchase", where: "revoked_at IS NULL") == 1)
            #expect(try await store.count("reservation", where: "transaction_id = '\(apple)'") == 1)
            // The other one is prevented by this one.
            await refused(.decided) {
                try await store.service.reverseRefund(of: TransactionIdentifier(again.transactionIdentifier))
            }
            try await store.checkMoney()
        }
    }

    @Test("Refunds of parts are taken back together, and the purchase has no part any more", arguments: Engine.stores)
    func parts(engine: Engine) async throws {
        try await engine.withStore { store in
            let apple = try await store.customer().apple()
            await refused(.invalid) { try await store.service.reverseRefund(of: apple) }
            try await store.service.refund(apple, amount: "0.30")
            #expect(try await store.service.reverseRefund(of: apple).revokedPart == nil)
            #expect(try await store.count("purchase", where: "revoked_at IS NULL AND revoked_part IS NULL") == 1)
            #expect(try await store.ledger() == [990, 300, -300])
            try await store.checkMoney()

            try await store.service.refund(apple, amount: "0.20")
            try await store.service.refund(apple)
            #expect(try await store.service.reverseRefund(of: apple).revoked == nil)

            #expect(try await store.ledger() == [990, 990, 300, -200, -300, -790])
            #expect(try await store.count("refund", where: "status = 'reversed'") == 3)
            await refused(.notFound) { try await store.service.reverseRefund(of: "2000") }
            await refused(.invalid) { try await store.service.reverseRefund(of: apple, identifier: "x") }
            try await store.checkMoney()
        }
    }

    @Test("A purchase that cost nothing is reinstated without money", arguments: Engine.stores)
    func free(engine: Engine) async throws {
        try await engine.withStore { store in
            let customer = try await store.customer()
            let seed = try await customer.phone.buy("seed", request: "seed", as: customer.account).transactionIdentifier
            try await store.service.refund(TransactionIdentifier(seed))
            #expect(try await store.service.reverseRefund(of: TransactionIdentifier(seed)).revoked == nil)
            #expect(try await store.ledger() == [0, 0, 0])
            let again = try await customer.phone.buy("seed", request: "again", as: customer.account)
            #expect(again.originalTransactionIdentifier == seed)
        }
    }

    @Test("A process dies at each step of a reversal, which is repeated or completed", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in Self.steps {
            for isRepeated in [true, false] {
                try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
                    let apple = try await dying.customer().apple()
                    try await dying.service.refund(apple)
                    _ = try? await dying.service.reverseRefund(of: apple, identifier: Self.first)
                    #expect(database.isDead, "\(step) wasn't reached")

                    let store = try await revive()
                    if isRepeated { try await store.service.reverseRefund(of: apple, identifier: Self.first) }
                    try await store.recover()

                    let isMade = isRepeated || step != "reverse:before"
                    #expect(try await store.ledger() == (isMade ? [990, 990, -990] : [990, -990]), "\(step)")
                    let revoked = try await store.count("purchase", where: "revoked_at IS NOT NULL")
                    #expect(revoked == (isMade ? 0 : 1), "\(step)")
                    #expect(try await store.count("refund", where: "status IN ('due', 'reversing')") == 0, "\(step)")
                    let status = isMade ? "captured" : "refunded"
                    #expect(try await store.count("sandbox_payment", where: "status = '\(status)'") == 1, "\(step)")
                    try await store.checkMoney()
                }
            }
        }
    }

    @Test("Two nodes take a refund back and refund again concurrently", arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let apple = try await nodes.customer(0).apple()
            for _ in 0..<5 {
                try await nodes.first.service.refund(apple)
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<4 {
                        group.addTask { _ = try? await nodes[number].service.reverseRefund(of: apple) }
                    }
                }
                try await nodes.first.recover()
                #expect(try await nodes.first.ledger().reduce(0, +) == 990)
            }
            #expect(try await nodes.first.count("ledger_entry", where: "kind = 'refund reversed'") == 5)
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        _ =
                            number % 2 == 0
                            ? try? await nodes[number].service.refund(apple)
                            : try? await nodes[number].service.reverseRefund(of: apple)
                    }
                }
            }
            try await nodes.first.endLeases()
            try await nodes.first.recover()
            try await nodes.first.checkMoney()
        }
    }

    @Test("A refund waits until an earlier one is taken back at the provider", arguments: Engine.stores)
    func unreachable(engine: Engine) async throws {
        let line = Switch()
        try await engine.withNodes(provider: { database, clock in
            Unreachable(books: SandboxPaymentProvider(database: database, clock: clock.wallClock), line: line)
        }) { nodes in
            let store = nodes.first
            let apple = try await nodes.customer(0).apple()
            try await store.service.refund(apple)
            // The provider's first answer is lost.
            try await store.service.reverseRefund(of: apple)
            #expect(try await store.count("refund", where: "status = 'reversing'") == 1)
            #expect(try await store.ledger().reduce(0, +) == 990)
            try await store.service.refund(apple)
            #expect(try await store.count("refund", where: "status = 'due'") == 1)
            await refused(.underWay) { try await store.service.reverseRefund(of: apple) }

            for _ in 0..<2 {
                try await store.endLeases()
                try await store.recover()
            }
            #expect(try await store.count("refund", where: "status = 'reversed'") == 1)
            #expect(try await store.count("refund", where: "status = 'done'") == 1)
            try await store.checkMoney()
        }
    }

    private struct Unreachable: PassingProvider {
        var books: SandboxPaymentProvider
        var line: Switch

        func reverse(_ refund: RefundIdentifier, of number: PaymentIdentifier, amount: Money) async throws {
            try line.fail()
            try await books.reverse(refund, of: number, amount: amount)
        }
    }

    @Test("Devices and snapshots learn of the reversal", arguments: Engine.stores)
    func devices(engine: Engine) async throws {
        try await engine.withStore { store in
            let customer = try await store.customer()
            let (apple, phone) = (try await customer.apple(), customer.phone)
            try await phone.finish(apple.rawValue)
            var news = QueueCall(bundleIdentifier: TestStore.bundleIdentifier)
            news.position = try await phone.call(news).position
            let before = try #require(news.position)
            try await store.service.refund(apple)
            #expect(try await phone.call(news).revoked?.map(\.productIdentifier) == ["apple"])
            try await store.service.reverseRefund(of: apple)

            let snapshot = try await phone.call(news)
            #expect(snapshot.revoked == nil)
            #expect(snapshot.reinstated?.map(\.productIdentifier) == ["apple"])
            let events = try await ReadingQueue(store.context).news(
                for: DeviceIdentifier(phone.credentials.identifier), bundleIdentifier: "com.example.fruit",
                after: AccountEvent.Position(account: AccountIdentifier(before.account), number: before.number))
            let kinds = try #require(events).map { numbered in
                switch numbered.news {
                case .revoked(let purchase): "revoked \(purchase.productIdentifier)"
                case .reinstated(let purchase): "reinstated \(purchase.productIdentifier)"
                default: "other"
                }
            }
            #expect(kinds == ["revoked apple", "reinstated apple"])
        }
    }
}
