// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// Purchases that the members of a family share, on every engine.
struct FamilySharingTests {
    /// A household in which the child and a parent use the app.
    private func withHome(_ engine: Engine, _ body: @escaping (Household, TestDevice) async throws -> Void) async throws
    {
        try await engine.withStore { store in
            try await store.sellShared()
            let home = try await Household(in: store)
            let tablet = TestDevice(number: 12, store: store)
            for device in [home.phone, tablet] { try await store.use(device) }
            try await body(home, tablet)
        }
    }

    @Test(
        "A member gets the purchase of another one, in the queue, the receipt and a restore",
        arguments: Engine.stores)
    func shared(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            let apple = try await tablet.buy("apple", request: "r1", as: home.paul)
            _ = try await tablet.buy("pear", request: "r2", as: home.paul)

            await store.service.sharePurchases()
            await store.service.sharePurchases()

            #expect(try await store.owned(by: home.carl) == ["apple shared"])
            #expect(try await store.owned(by: home.olga) == ["apple shared"])
            let entry = try #require(try await home.phone.queue().first)
            #expect(entry.productIdentifier == "apple" && entry.transactionIdentifier != apple.transactionIdentifier)
            try await home.phone.finish(entry.transactionIdentifier)
            let restored = try await home.phone.restore(request: "restore").transactions
            #expect(restored.map(\.originalTransactionIdentifier) == [entry.transactionIdentifier])
            #expect(try await home.phone.receiptAnswer().receipt != nil)
            // The buyer alone is charged.
            #expect(try await store.amounts(of: home.carl.identifier) == [])
            #expect(try await store.amounts(of: home.paul.identifier).sorted() == [990, 1990])
        }
    }

    @Test("A member who joins gets the purchases of before", arguments: Engine.stores)
    func joining(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            _ = try await tablet.buy("apple", request: "r1", as: home.paul)
            let dora = try await store.person("dora", device: 21)
            let device = TestDevice(number: 21, store: store)
            _ = try await device.buy("apple", request: "own", as: dora)

            _ = try await store.families.add(dora.email, as: .adult, organiser: home.olga.email)
            await store.service.sharePurchases()

            #expect(try await store.owned(by: dora) == ["apple", "apple shared"])
            #expect(try await store.owned(by: home.carl) == ["apple shared", "apple shared"])
        }
    }

    @Test(
        "Sharing ends with a refund, and when the buyer or the member leaves", arguments: Engine.stores,
        ["refund", "buyer", "member", "family", "closed", "seller"])
    func ending(engine: Engine, how: String) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            let apple = try await tablet.buy("apple", request: "r1", as: home.paul)
            await store.service.sharePurchases()
            let known = try #require(
                try await home.phone.call(
                    QueueCall(bundleIdentifier: TestStore.bundleIdentifier)
                ).position)

            switch how {
            case "refund": try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            case "buyer": _ = try await store.families.remove(home.paul.email)
            case "member": _ = try await store.families.remove(home.carl.email)
            case "seller": try await store.sellShared(false)
            case "closed": try await ClosingAccount(store.context)(email: home.paul.email)
            default: try await store.families.end(organiser: home.olga.email)
            }
            await store.service.sharePurchases()

            #expect(try await store.owned(by: home.carl) == [])
            #expect(try await store.owned(by: home.olga) == (how == "member" ? ["apple shared"] : []))
            #expect(try await store.owned(by: home.paul) == (how == "refund" ? [] : ["apple"]))
            #expect(try await store.count("sharing_change", where: "environment = 'Sandbox'") == 0)
            #expect(try await home.phone.queue().isEmpty)
            // A device that was away gets the revocation, for the app's
            // didRevokeEntitlementsForProductIdentifiers.
            let answer = try await home.phone.call(
                QueueCall(bundleIdentifier: TestStore.bundleIdentifier, position: known))
            #expect(answer.revoked?.count == 1)
        }
    }

    @Test("A product that the seller shares later reaches the members", arguments: Engine.stores)
    func later(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            try await store.sellShared(false)
            _ = try await tablet.buy("apple", request: "r1", as: home.paul)
            await store.service.sharePurchases()
            #expect(try await store.owned(by: home.carl) == [])

            try await store.sellShared()
            await store.service.sharePurchases()

            #expect(try await store.owned(by: home.carl) == ["apple shared"])
        }
    }

    @Test("A withdrawn product stays with the members", arguments: Engine.stores)
    func withdrawn(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            _ = try await tablet.buy("apple", request: "r1", as: home.paul)
            await store.service.sharePurchases()
            try await store.sellOnly("pear")
            try await store.context.database.write { try $0.run("UPDATE family_sharing SET done = 0") }
            await store.service.sharePurchases()

            #expect(try await store.owned(by: home.carl) == ["apple shared"])
        }
    }

    @Test("A subscriber ends the sharing, and begins it again", arguments: Engine.stores)
    func choice(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            let club = OriginalTransactionIdentifier(
                try await tablet.buy("club", request: "r1", as: home.paul).transactionIdentifier)
            await store.service.sharePurchases()
            let first = try #require(try await home.phone.queue().first)

            for _ in 0..<2 { try await store.service.setSharing(false, of: club, account: home.paul) }
            await store.service.sharePurchases()
            #expect(try await store.owned(by: home.carl) == [])
            #expect(try await home.phone.queue().isEmpty)
            // A renewal isn't shared either.
            _ = try await store.service.move(clockOf: home.carl.email, .later(try ClockDuration("1mo")))
            #expect(try await store.owned(by: home.paul) == ["club", "club"])
            #expect(try await store.owned(by: home.carl) == [])

            try await store.service.setSharing(true, of: club, account: home.paul)
            await store.service.sharePurchases()
            #expect(try await store.owned(by: home.carl) == ["club shared"])
            // It is the same subscription for the app.
            #expect(
                try await home.phone.queue().map(\.originalTransactionIdentifier)
                    == [first.transactionIdentifier])
            for stranger in [home.carl, home.olga] {
                await home.refused(.notFound) {
                    try await store.service.setSharing(false, of: club, account: stranger)
                }
            }
        }
    }

    @Test("A member may download the content of a shared subscription while it runs", arguments: Engine.stores)
    func content(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            try await store.publish(TestContent(product: "club"))
            _ = try await tablet.buy("club", request: "r1", as: home.paul)
            await store.service.sharePurchases()
            let share = try #require(try await home.phone.queue().first).transactionIdentifier

            #expect(try await home.phone.call(ContentCall(transaction: share)).product == "club")
            _ = try await store.families.remove(home.carl.email)
            await store.service.sharePurchases()
            let failure = await #expect(throws: StoreFailure.self) {
                _ = try await home.phone.call(ContentCall(transaction: share))
            }
            #expect(failure?.code == .contentNotOwned)
        }
    }

    @Test("A member who comes back gets the purchase again", arguments: Engine.stores)
    func back(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            _ = try await tablet.buy("apple", request: "r1", as: home.paul)
            for _ in 0..<2 {
                await store.service.sharePurchases()
                #expect(try await store.owned(by: home.carl) == ["apple shared"])
                _ = try await store.families.remove(home.carl.email)
                await store.service.sharePurchases()
                #expect(try await store.owned(by: home.carl) == [])
                _ = try await store.families.add(home.carl.email, as: .child, organiser: home.olga.email)
            }
        }
    }

    @Test("The periods of a subscription follow the subscriber's, and end with it", arguments: Engine.stores)
    func subscription(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            let club = try await tablet.buy("club", request: "r1", as: home.paul)
            await store.service.sharePurchases()
            #expect(try await store.owned(by: home.carl) == ["club shared"])

            _ = try await store.service.move(clockOf: home.carl.email, .later(try ClockDuration("3mo")))

            let periods = try await home.phone.queue()
            #expect(periods.count == 4)
            #expect(Set(periods.compactMap(\.originalTransactionIdentifier)).count == 1)
            let ends = try await store.ends(of: home.paul)
            #expect(ends.count == 4)
            #expect(try await store.ends(of: home.carl) == ends)
            #expect(try await store.amounts(of: home.carl.identifier) == [])

            try await SettingRenewal(store.context)(
                false, of: OriginalTransactionIdentifier(club.transactionIdentifier), account: home.paul.identifier)
            _ = try await store.service.move(clockOf: home.carl.email, .later(try ClockDuration("3mo")))
            #expect(try await store.ends(of: home.carl) == ends)
        }
    }

    @Test("An upgrade and a refund of a period reach the members", arguments: Engine.stores)
    func periods(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            _ = try await tablet.buy("club", request: "r1", as: home.paul)
            await store.service.sharePurchases()
            store.clock.advance(by: .seconds(86_400))
            let gold = try await tablet.buy("gold", request: "r2", as: home.paul)
            await store.service.sharePurchases()
            #expect(try await store.owned(by: home.carl) == ["club shared", "gold shared"])
            #expect(try await store.count("purchase", where: "is_upgraded = 1") == 3)

            try await store.service.refund(TransactionIdentifier(gold.transactionIdentifier))
            await store.service.sharePurchases()
            #expect(try await !store.owned(by: home.carl).contains("gold shared"))
        }
    }

    @Test("The members get a reinstated purchase, and their server is notified", arguments: Engine.stores)
    func reinstated(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            try await ChangingNotificationAddresses(store.context).add("https://seller.example/")
            let club = try await tablet.buy("club", request: "r1", as: home.paul).transactionIdentifier
            let apple = try await tablet.buy("apple", request: "r2", as: home.paul).transactionIdentifier
            await store.service.sharePurchases()
            for number in [club, apple] { try await store.service.refund(TransactionIdentifier(number)) }
            await store.service.sharePurchases()
            #expect(try await store.owned(by: home.carl) == [])

            for number in [club, apple] { try await store.service.reverseRefund(of: TransactionIdentifier(number)) }
            for _ in 0..<2 { await store.service.sharePurchases() }

            for member in [home.olga, home.carl] {
                #expect(try await store.owned(by: member).sorted() == ["apple shared", "club shared"])
            }
            let kinds = try await store.notifications(of: home.carl)
            #expect(
                kinds == [
                    "ONE_TIME_CHARGE": 2, "REVOKE": 2, "SUBSCRIBED/INITIAL_BUY": 1, "SUBSCRIBED/RESUBSCRIBE": 1,
                ])
            let owners = try await store.notifications(of: home.paul)
            #expect(owners["REFUND_REVERSED"] == 2 && owners["REVOKE"] == nil)
            try await store.checkMoney()
        }
    }

    @Test("A purchase that is taken away from a member stays away until the member leaves", arguments: Engine.stores)
    func revoked(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            try await ChangingNotificationAddresses(store.context).add("https://seller.example/")
            let bought = try await tablet.buy("apple", request: "r1", as: home.paul).transactionIdentifier
            _ = try await tablet.buy("club", request: "r2", as: home.paul)
            await store.service.sharePurchases()
            let shares = try await home.phone.queue().map { TransactionIdentifier($0.transactionIdentifier) }
            #expect(shares.count == 2)

            await home.refused(.invalid) { try await store.service.revoke(TransactionIdentifier(bought)) }
            await home.refused(.notFound) { try await store.service.revoke("2000") }
            for _ in 0..<2 {
                for share in shares { #expect(try await store.service.revoke(share).revoked != nil) }
            }
            #expect(try await store.owned(by: home.carl) == [])
            #expect(try await home.phone.queue().isEmpty)
            // Also after the next renewal, and after another change.
            _ = try await store.service.move(clockOf: home.carl.email, .later(try ClockDuration("2mo")))
            try await store.sellShared()
            await store.service.sharePurchases()
            #expect(try await store.owned(by: home.carl) == [])
            #expect(try await store.owned(by: home.olga).contains("apple shared"))
            #expect(try await store.notifications(of: home.carl)["REVOKE"] == 2)
            #expect(try await store.notifications(of: home.paul)["REVOKE"] == nil)

            _ = try await store.families.remove(home.carl.email)
            await store.service.sharePurchases()
            _ = try await store.families.add(home.carl.email, as: .child, organiser: home.olga.email)
            await store.service.sharePurchases()
            #expect(try await store.owned(by: home.carl).contains("apple shared"))
            #expect(try await store.owned(by: home.carl).contains("club shared"))
            try await store.checkMoney()
        }
    }

    @Test("A member is notified when a subscription is bought again after its end", arguments: Engine.stores)
    func boughtAgain(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            let store = home.store
            try await ChangingNotificationAddresses(store.context).add("https://seller.example/")
            let club = try await tablet.buy("club", request: "r1", as: home.paul)
            try await SettingRenewal(store.context)(
                false, of: OriginalTransactionIdentifier(club.transactionIdentifier), account: home.paul.identifier)
            await store.service.sharePurchases()
            _ = try await store.service.move(clockOf: home.carl.email, .later(try ClockDuration("2mo")))
            _ = try await tablet.buy("club", request: "r2", as: home.paul)
            await store.service.sharePurchases()
            _ = try await store.service.move(clockOf: home.carl.email, .later(try ClockDuration("1mo")))

            let kinds = try await store.notifications(of: home.carl)
            #expect(kinds == ["SUBSCRIBED/INITIAL_BUY": 1, "SUBSCRIBED/RESUBSCRIBE": 1, "DID_RENEW": 1])
        }
    }

    @Test("A shared purchase isn't refunded itself", arguments: Engine.stores)
    func refund(engine: Engine) async throws {
        try await withHome(engine) { home, tablet in
            _ = try await tablet.buy("apple", request: "r1", as: home.paul)
            await home.store.service.sharePurchases()
            let share = try #require(try await home.phone.queue().first).transactionIdentifier

            await home.refused(.invalid) { try await home.store.service.refund(TransactionIdentifier(share)) }
            #expect(try await home.store.owned(by: home.carl) == ["apple shared"])
        }
    }

    @Test("A process dies at each step, and another one shares the rest once", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in ["share:before", "share:after", "share:finish", "share:recorded"] {
            try await engine.withDatabase(hasTables: true) { database in
                let clock = TestClock()
                let mortal = MortalDatabase(database)
                let reached = Mutex(0)
                let dying = try await TestStore(
                    mortal, clock: clock,
                    faults: { name in
                        // The second time, so that one member has it.
                        let count = reached.withLock { reached in
                            if name == step { reached += 1 }
                            return reached
                        }
                        if name == step, count == (step.hasPrefix("share:f") || step.hasSuffix("recorded") ? 1 : 2) {
                            mortal.die()
                        }
                    })
                try await dying.sellShared(false)
                let home = try await Household(in: dying)
                let tablet = TestDevice(number: 12, store: dying)
                _ = try await tablet.buy("apple", request: "r1", as: home.paul)
                try await dying.sellShared()
                await dying.service.sharePurchases()
                #expect(mortal.isDead, "\(step) wasn't reached")

                let store = try await TestStore(database, clock: clock, seed: 8)
                // The store has imported its own catalogue at its start.
                try await store.sellShared()
                try await ReleasingLeases(store.context)()
                for _ in 0..<2 { await store.service.sharePurchases() }

                for member in [home.olga, home.carl] {
                    #expect(try await store.owned(by: member) == ["apple shared"], "\(step)")
                }
                #expect(try await store.count("family_sharing", where: "done < revision") == 0, "\(step)")
                #expect(try await store.amounts() == [990], "\(step)")
                try await store.checkMoney()
            }
        }
    }

    @Test("Nodes that share at the same time share everything once", arguments: Engine.stores)
    func together(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            try await store.sellShared()
            let home = try await Household(in: store)
            let tablet = TestDevice(number: 12, store: store)
            _ = try await tablet.buy("apple", request: "r1", as: home.paul)

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 { group.addTask { await nodes[number].service.sharePurchases() } }
                try await group.waitForAll()
            }

            // An account on which a node works is left to it, and one that has failed to the next round.
            try await until {
                await nodes.second.service.sharePurchases()
                return try await store.count("family_sharing", where: "done < revision") == 0
            }
            for member in [home.olga, home.carl] {
                #expect(try await store.owned(by: member) == ["apple shared"])
            }
        }
    }

    @Test("A refund on one node, while the other shares: no share stays", arguments: Engine.stores)
    func race(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            try await store.sellShared()
            let home = try await Household(in: store)
            let tablet = TestDevice(number: 12, store: store)
            for round in 0..<(engine.isPostgreSQL ? 30 : 15) {
                let apple = try await tablet.buy("apple", request: "r\(round)", as: home.paul)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await nodes.first.service.sharePurchases() }
                    group.addTask {
                        try await nodes.second.readTimes(round % 6)
                        try await nodes.second.service.refund(TransactionIdentifier(apple.transactionIdentifier))
                        await nodes.second.service.sharePurchases()
                    }
                    try await group.waitForAll()
                }
                for node in [nodes.first, nodes.second] { await node.service.sharePurchases() }

                for member in [home.olga, home.carl, home.paul] {
                    #expect(try await store.owned(by: member) == [], "round \(round)")
                }
            }
        }
    }
}

extension TestStore {
    /// The ends of an account's periods, oldest first, in milliseconds.
    fileprivate func ends(of account: Account) async throws -> [Int64] {
        try await context.read { db in
            try db.rows(
                "SELECT expires_at FROM purchase WHERE account_id = $1 AND expires_at IS NOT NULL ORDER BY expires_at",
                [account.identifier]
            ).map { try $0.get("expires_at") }
        }
    }
}

extension TestStore {
    /// How many notifications about an account were saved, by type.
    fileprivate func notifications(of account: Account) async throws -> [String: Int] {
        try await context.database.read { connection in
            try connection.rows(
                "SELECT type, subtype FROM notification WHERE account_id = $1", [account.identifier]
            ).reduce(into: [:]) { kinds, row in
                kinds[NotificationKind(try row.get("type"), try row.get("subtype")).name, default: 0] += 1
            }
        }
    }
}
