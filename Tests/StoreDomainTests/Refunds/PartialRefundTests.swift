// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Refunds of a part of a purchase's price.
struct PartialRefundTests {
    @Test("A refund of a part revokes the purchase, and further ones enlarge the part", arguments: Engine.stores)
    func parts(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            let apple = try await nodes.customer(0).apple()

            let first = try await store.service.refund(apple, amount: "0.30")
            store.clock.advance(by: .seconds(1))
            let second = try await store.service.refund(apple, amount: "0.20")
            // 0.30 and 0.50 of 0.99, in thousandths of a percent.
            #expect(first.revoked != nil && first.revokedPart == 30_303)
            #expect(second.revoked == first.revoked && second.revokedPart == 50_505)
            #expect(try await store.ledger() == [990, -200, -300])
            #expect(try await store.count("payment", where: "status = 'captured' AND returned_milliunits = 500") == 1)
            #expect(try await store.count("queue_entry") == 0)
            try await store.checkMoney()

            let last = try await store.service.refund(apple)
            #expect(last.revoked == first.revoked && last.revokedPart == nil)
            #expect(try await store.ledger() == [990, -200, -300, -490])
            #expect(try await store.count("refund", where: "status = 'done'") == 3)
            #expect(try await store.count("queue_entry") == 0)
            try await store.checkMoney()

            // Nothing is left, so that a repeat changes nothing.
            try await store.service.refund(apple)
            #expect(try await store.count("refund") == 3)
        }
    }

    @Test("The refunded part is rounded to thousandths of a percent")
    func rounding() {
        for (amount, paid, part) in [
            (300, 990, 30_303), (1, 3, 33_333), (2, 3, 66_667), (1, 1_000_000, 0), (999_999, 1_000_000, 100_000),
            (0, 990, 0), (Int64.max / 4, Int64.max / 2, 50_000),
        ] as [(Int64, Int64, Int64)] {
            #expect(RefundDecision.part(givenBack: amount, of: paid) == part, "\(amount) of \(paid)")
        }
        #expect(RefundDecision.part(givenBack: 990, of: 990) == nil && RefundDecision.part(givenBack: 0, of: 0) == nil)
    }

    @Test("Sellers' servers get each refund of a part with its percentage, in its order", arguments: Engine.stores)
    func notifications(engine: Engine) async throws {
        let receiver = RecordedNotifications()
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: receiver)
            try await ChangingNotificationAddresses(store.context).add("https://seller.example/")
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let small = TransactionIdentifier(try await anna.buy("small").transactionIdentifier)
            let filter = PurchaseFilter.refunded
            let before = try await ReadingServedHistory(store.context)(of: small, in: Self.app, filter, after: nil)
            try await store.service.refund(small, amount: "1.00")
            try await store.service.refund(small, amount: "0.99")
            let changed = try await ReadingServedHistory(store.context)(
                of: small, in: Self.app, filter, after: before.revision)
            try await store.service.refund(small)
            try await store.service.reverseRefund(of: small)
            // All are signed after the last change.
            try await SigningNotifications(store.context, authority: store.service.authority)()
            await SendingNotifications(store.context)(to: "https://seller.example/")

            #expect(changed.purchases.map(\.revokedPart) == [39_880])
            #expect(receiver.kinds == ["SUBSCRIBED/INITIAL_BUY", "REFUND", "REFUND", "REFUND", "REFUND_REVERSED"])
            let infos = try receiver.requests.map { request in
                guard case .object(let data)? = request.notification?.data,
                    case .string(let text)? = data["signedTransactionInfo"]
                else { throw DomainError(.notFound, "signedTransactionInfo") }
                return try UnverifiedJWS<TransactionPayload>(parsing: text).payload
            }
            let (prorated, full) = ("REFUND_PRORATED", "REFUND_FULL")
            #expect(infos.map(\.revocationType) == [nil, prorated, prorated, full, nil])
            #expect(infos.map(\.revocationPercentage) == [nil, 20_040, 39_880, 100_000, nil])
            #expect(infos.map(\.revocationReason) == [nil, 0, 0, 0, nil])
            #expect(Set(infos[1...3].map(\.revocationDate)).count == 1 && infos[4].revocationDate == nil)
            try await store.checkMoney()
        }
    }

    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    @Test("A refund of more than is left is refused, and nothing is changed", arguments: Engine.stores)
    func tooLarge(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            let apple = try await nodes.customer(0).apple()
            try await store.service.refund(apple, amount: "0.90")

            for (amount, code) in [
                ("0.091", .refundTooLarge), ("0.99", .refundTooLarge), ("999999999999.999", .refundTooLarge),
                ("0", .invalid), ("-0.01", .invalid), ("x", .invalid),
            ] as [(String, DomainError.Code)] {
                let refusal = await #expect(throws: DomainError.self) {
                    try await store.service.refund(apple, amount: amount)
                }
                #expect(refusal?.code == code, "\(amount)")
            }

            #expect(try await store.ledger() == [990, -900])
            #expect(try await store.count("refund") == 1)
            #expect(try await store.count("purchase", where: "revoked_part = 90909") == 1)
            try await store.checkMoney()
            let last = try await store.service.refund(apple, amount: "0.09")
            #expect(last.revoked != nil && last.revokedPart == nil)
            try await store.checkMoney()
        }
    }

    @Test("A purchase that cost nothing has no part to give back", arguments: Engine.stores)
    func free(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let seed = try await phone.buy("seed", request: "r", as: anna)
            let number = TransactionIdentifier(seed.transactionIdentifier)

            let refusal = await #expect(throws: DomainError.self) {
                try await store.service.refund(number, amount: "0.01")
            }
            let refunded = try await store.service.refund(number)

            #expect(refusal?.code == .refundTooLarge)
            #expect(refunded.revoked != nil)
            #expect(try await store.ledger() == [0, 0])
            #expect(try await store.count("refund") == 0)
        }
    }

    @Test("A refund that is repeated with its identifier, also on another node, is made once", arguments: Engine.stores)
    func repeated(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            let apple = try await nodes.customer(0).apple()

            for node in [store, nodes.second, store] {
                let part = try await node.service.refund(apple, amount: "0.60", identifier: Self.first)
                #expect(part.revoked != nil && part.revokedPart == 60_606)
            }
            #expect(try await store.ledger() == [990, -600])
            for node in [store, nodes.second, store] {
                let rest = try await node.service.refund(apple, identifier: Self.second)
                #expect(rest.revoked != nil)
            }
            // The part is answered from its row although nothing is left.
            try await store.service.refund(apple, amount: "0.60", identifier: Self.first)

            #expect(try await store.ledger() == [990, -390, -600])
            #expect(try await store.count("refund", where: "status = 'done'") == 2)
            #expect(try await store.count("sandbox_refund") == 2)
            #expect(try await store.count("refund", where: "refund_id = '\(Self.first)' AND milliunits = 600") == 1)
            try await store.checkMoney()
        }
    }

    @Test("Concurrent repeats of one refund, on two nodes, give back one part", arguments: Engine.stores)
    func repeatedAtOnce(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let apple = try await nodes.customer(0).apple()

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        try await nodes[number].service.refund(apple, amount: "0.20", identifier: Self.first)
                    }
                }
                try await group.waitForAll()
            }

            #expect(try await nodes.first.ledger() == [990, -200])
            #expect(try await nodes.first.count("refund", where: "status = 'done'") == 1)
            try await nodes.first.checkMoney()
        }
    }

    @Test("An identifier that was used for another refund is refused, and nothing is changed", arguments: Engine.stores)
    func mismatch(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            let apple = try await nodes.customer(0).apple()
            let other = try await nodes.customer(1, device: 2).apple()
            let charge = try #require(try await store.payment("captured"))
            try await store.service.refund(apple, amount: "0.30", identifier: Self.first)

            for (transaction, amount, identifier, code) in [
                (apple, "0.31", Self.first, .requestMismatch), (apple, nil, Self.first, .requestMismatch),
                (other, "0.30", Self.first, .requestMismatch), (other, nil, Self.first, .requestMismatch),
                // The ledger's entry of a charge has the payment's number.
                (apple, "0.99", charge.rawValue, .requestMismatch),
                (apple, "0.10", "", .invalid), (apple, "0.10", Self.first.uppercased(), .invalid),
                (apple, "0.10", "event 1", .invalid),
            ] as [(TransactionIdentifier, String?, String, DomainError.Code)] {
                let refusal = await #expect(throws: DomainError.self) {
                    try await store.service.refund(transaction, amount: amount, identifier: identifier)
                }
                #expect(refusal?.code == code, "\(amount ?? "the rest") as \(identifier)")
            }

            #expect(try await store.ledger() == [990, 990, -300])
            #expect(try await store.count("refund") == 1)
            try await store.checkMoney()
        }
    }

    @Test("The refund of a purchase that cost nothing is repeated, and not made again", arguments: Engine.stores)
    func repeatedForNothing(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let seed = try await phone.buy("seed", request: "r", as: anna)
            let number = TransactionIdentifier(seed.transactionIdentifier)

            for _ in 0..<2 {
                #expect(try await store.service.refund(number, identifier: Self.first).revoked != nil)
            }

            #expect(try await store.ledger() == [0, 0])
        }
    }

    @Test(
        "A refund whose process died is repeated with its identifier, and is made once", arguments: Engine.stores)
    func repeatedAfterDeath(engine: Engine) async throws {
        for step in ["refund:before", "refund:after", "giveback:before", "giveback:saving", "giveback:after"] {
            try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
                let apple = try await dying.customer().apple()
                _ = try? await dying.service.refund(apple, amount: "0.30", identifier: Self.first)
                #expect(database.isDead, "\(step) wasn't reached")

                let store = try await revive()
                try await store.service.refund(apple, amount: "0.30", identifier: Self.first)

                #expect(try await store.ledger() == [990, -300], "\(step)")
                #expect(try await store.count("refund", where: "status = 'done'") == 1, "\(step)")
                try await store.checkMoney()
            }
        }
    }

    private static let first = String(repeating: "1a", count: 16)
    private static let second = String(repeating: "2b", count: 16)

    @Test("A part that another node gives back before is counted", arguments: Engine.stores)
    func otherNodeFirst(engine: Engine) async throws {
        let hook = StepHook()
        try await engine.withNodes(faults: { hook.reach($0) }) { nodes in
            let apple = try await nodes.customer(0).apple()
            hook.at("refund:before") {
                _ = try blocking { try await nodes.second.service.refund(apple, amount: "0.60") }
            }

            let refusal = await #expect(throws: DomainError.self) {
                try await nodes.first.service.refund(apple, amount: "0.60")
            }

            #expect(try hook.refusal() == nil)
            #expect(refusal?.code == .refundTooLarge)
            #expect(try await nodes.first.ledger() == [990, -600])
            try await nodes.first.checkMoney()
        }
    }

    @Test("Of four concurrent refunds on two nodes, as many succeed as the price covers", arguments: Engine.stores)
    func atOnce(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let customer = try await nodes.customer(0)
            for round in 0..<10 {
                let bought = try await customer.phone.buy("juice", request: "r\(round)", as: customer.account)
                let juice = TransactionIdentifier(bought.transactionIdentifier)

                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<4 {
                        group.addTask { _ = try? await nodes[number].service.refund(juice, amount: "0.20") }
                    }
                }

                try await nodes.first.checkMoney()
                #expect(try await nodes.first.ledger().reduce(0, +) == Int64(round + 1) * 90)
            }
            #expect(try await nodes.first.count("payment", where: "returned_milliunits = 400") == 10)
        }
    }

    @Test("A process dies at each step of a refund, and the money is given back once", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in ["refund:before", "refund:after", "giveback:before", "giveback:saving", "giveback:after"] {
            for amount in ["0.30", nil] {
                try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
                    let apple = try await dying.customer().apple()
                    _ = try? await dying.service.refund(apple, amount: amount)
                    #expect(database.isDead, "\(step) wasn't reached")

                    let store = try await revive()
                    try await store.checkMoney()

                    let given: Int64 = step == "refund:before" ? 0 : amount == nil ? 990 : 300
                    #expect(try await store.ledger().reduce(0, +) == 990 - given, "\(step)")
                    #expect(try await store.count("refund") == (given == 0 ? 0 : 1), "\(step)")
                    #expect(try await store.count("refund", where: "status = 'due'") == 0, "\(step)")
                    let revoked = try await store.count("purchase", where: "revoked_at IS NOT NULL")
                    #expect(revoked == (given > 0 ? 1 : 0), "\(step)")
                }
            }
        }
    }

    @Test("An account isn't closed while a part of a price is due to it", arguments: Engine.stores)
    func closing(engine: Engine) async throws {
        try await engine.withMortalStore(dyingAt: "refund:after") { dying, _, revive in
            let customer = try await dying.customer()
            _ = try? await dying.service.refund(try await customer.apple(), amount: "0.30")
            let store = try await revive()

            let refusal = await #expect(throws: DomainError.self) {
                try await ClosingAccount(store.context)(email: customer.account.email)
            }
            let due = try await ReadingBacklogs(store.context)().backlogs[.payments]
            try await store.recover()
            let done = try await ReadingBacklogs(store.context)().backlogs[.payments]

            #expect(refusal?.code == .underWay)
            #expect(due?.count == 1 && done?.count == 0)
            try await ClosingAccount(store.context)(email: customer.account.email)
        }
    }

    @Test("The schema allows no refund of more than a payment's amount", arguments: Engine.stores)
    func constraint(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            _ = try await nodes.customer(0).apple()
            for amount in ["milliunits + 1", "-1"] {
                await #expect(throws: DatabaseError.self) {
                    try await nodes.first.context.database.write {
                        _ = try $0.run("UPDATE payment SET returned_milliunits = \(amount)")
                    }
                }
            }
        }
    }
}

extension Customer {
    /// Buys an apple, and returns the number of the purchase.
    func apple() async throws -> TransactionIdentifier {
        let apple = try await phone.buy("apple", request: "apple", as: account)
        return TransactionIdentifier(apple.transactionIdentifier)
    }
}

extension PurchaseFilter {
    /// Refunded purchases alone.
    fileprivate static var refunded: PurchaseFilter {
        var filter = PurchaseFilter()
        filter.revoked = true
        return filter
    }
}
