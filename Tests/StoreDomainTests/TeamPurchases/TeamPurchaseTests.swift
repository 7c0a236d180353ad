// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreMeasurement
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The purchases that a team sees in Connect.
struct TeamPurchaseTests {
    private func withStore(_ engine: Engine, _ body: (TestStore) async throws -> Void) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            try await body(try await TestStore(database, notifications: RecordedNotifications()))
        }
    }

    @Test("A record has the events, the ledger and the notifications with their attempts", arguments: Engine.stores)
    func record(engine: Engine) async throws {
        try await withStore(engine) { store in
            let holder = try await store.setUpTeam()
            let (anna, phone, apple) = try await store.buyWithNotification()
            let before = try await store.service.purchaseRecord(apple, as: holder)
            #expect(before.record.account?.identifier == anna.identifier && before.record.isUnfinished)
            #expect(before.record.events.map(\.kind) == [.transaction])
            #expect(before.record.ledger.map(\.kind) == [.charge] && before.record.left == before.record.purchase.price)
            #expect(before.record.notifications.map(\.notification.kind.type) == ["ONE_TIME_CHARGE"])
            #expect(before.record.notifications.first?.deliveries.map(\.state) == [.delivered])
            #expect(before.record.notifications.first?.deliveries.first?.attempts.count == 1)
            #expect(before.signed?.split(separator: ".").count == 3)

            try await phone.finish(apple.rawValue)
            let identifier = store.service.drawRefundIdentifier()
            for _ in 0..<2 {
                try await store.service.refund(apple, amount: "", identifier: identifier, by: holder)
            }
            let after = try await store.service.purchaseRecord(apple, as: holder).record
            #expect(after.events.map(\.kind) == [.transaction, .finished, .revoked] && !after.isUnfinished)
            #expect(after.ledger.map(\.kind) == [.charge, .refund] && after.left?.milliunits == 0)
            #expect(after.notifications.map(\.notification.kind.type) == ["REFUND", "ONE_TIME_CHARGE"])
            let log = try await store.service.teamReader.changes(containing: "purchase-refunded", as: holder).entries
            #expect(log.map(\.subject) == [apple.rawValue])
        }
    }

    @Test("A part is refunded, and more than is left is a problem of the field", arguments: Engine.stores)
    func parts(engine: Engine) async throws {
        try await withStore(engine) { store in
            let holder = try await store.setUpTeam()
            let (_, _, apple) = try await store.buyWithNotification()
            func refund(_ amount: String) async throws {
                try await store.service.refund(
                    apple, amount: amount, identifier: store.service.drawRefundIdentifier(), by: holder)
            }
            for (amount, kind) in [("x", FieldProblem.Kind.malformed), ("-1", .malformed), ("1000", .tooLarge)] {
                await #expect(throws: InvalidFields(problems: [FieldProblem(field: "amount", kind: kind)])) {
                    try await refund(amount)
                }
            }
            try await refund(" 0.01 ")
            let record = try await store.service.purchaseRecord(apple, as: holder).record
            #expect(record.purchase.price.milliunits - (record.left?.milliunits ?? 0) == 10)
        }
    }

    @Test("A notification is sent again, and only one about the transaction", arguments: Engine.stores)
    func again(engine: Engine) async throws {
        try await withStore(engine) { store in
            let holder = try await store.setUpTeam()
            let (anna, phone, apple) = try await store.buyWithNotification()
            let other = try await phone.buy("juice", request: "2", as: anna)
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            let record = try await store.service.purchaseRecord(apple, as: holder).record
            let notification = try #require(record.notifications.first?.notification.identifier)
            await #expect(throws: DomainError(.notFound, "")) {
                try await store.service.resend(
                    notification, about: TransactionIdentifier(other.transactionIdentifier), by: holder)
            }
            try await store.service.resend(notification, about: apple, by: holder)
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            let after = try await store.service.purchaseRecord(apple, as: holder).record
            #expect(after.notifications.first?.deliveries.first?.attempts.count == 2)
        }
    }

    @Test("A search finds a purchase by each of its numbers, and no other team's", arguments: Engine.stores)
    func search(engine: Engine) async throws {
        try await withStore(engine) { store in
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let (anna, phone, apple) = try await store.buyWithNotification()
            let token = "6f1c2e52-98a5-4d2b-9d8c-3c3f1a2b4c5d"
            let server = "7f1c2e52-98a5-4d2b-9d8c-3c3f1a2b4c5d"
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            try await SettingAccountToken(store.context)(server, of: apple, in: app)
            let call = Control.BuyCall(email: anna.email, bundle: app.rawValue, product: "juice", accountToken: token)
            _ = try await store.service.control(.buy, try JSONEncoder().encode(call))
            let purchases = store.service.teamPurchases
            for text in [apple.rawValue, " \(apple) ", server.uppercased(), phone.credentials.identifier] {
                let found = try await purchases.search(text, as: holder).map(\.transactionIdentifier)
                #expect(found == [apple], "\(text)")
                #expect(try await purchases.search(text, as: other).isEmpty, "\(text)")
            }
            #expect(try await purchases.search(token, as: holder).map(\.productIdentifier) == ["juice"])
            #expect(try await purchases.search(anna.email, as: holder).count == 2)
            for text in ["", "nothing", "apple", "\0", String(repeating: "9", count: 400)] {
                #expect(try await purchases.search(text, as: holder).isEmpty, "\(text)")
            }
            await #expect(throws: DomainError(.notFound, "")) {
                _ = try await store.service.purchaseRecord(apple, as: other)
            }
        }
    }

    @Test("Production's customers aren't found by their addresses")
    func production() async throws {
        try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            let holder = try await store.setUpTeam()
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let purchases = store.service.teamPurchases
            #expect(try await purchases.search(anna.email, as: holder).isEmpty)
            #expect(try await purchases.search(apple.transactionIdentifier, as: holder).count == 1)
        }
    }

    @Test("The list has every purchase once, newest or oldest first, also with filters", arguments: Engine.stores)
    func pages(engine: Engine) async throws {
        try await withStore(engine) { store in
            let holder = try await store.setUpTeam()
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            var bought: [TransactionIdentifier] = []
            for number in 0..<120 {
                store.clock.advance(by: .seconds(number % 3))
                let info = try await phone.buy("juice", request: "\(number)", as: anna)
                bought.append(TransactionIdentifier(info.transactionIdentifier))
            }
            for transaction in bought.prefix(60) { try await phone.finish(transaction.rawValue) }
            try await store.service.refund(bought[70])
            func all(
                by sort: PurchaseSort = .newest, _ change: (inout TeamPurchaseFilter) -> Void = { _ in },
                between: () async throws -> Void = {}
            ) async throws -> [TransactionIdentifier] {
                var filter = TeamPurchaseFilter()
                change(&filter)
                var (found, place): ([TransactionIdentifier], Purchase.Position?) = ([], nil)
                repeat {
                    let page = try await store.service.teamPurchases(filter, by: sort, before: place, as: holder)
                    #expect(page.entries.count <= ReadingTeam.pageSize)
                    if found.isEmpty { try await between() }
                    found += page.entries.map(\.transactionIdentifier)
                    place = page.next.flatMap { Purchase.Position(text: $0.text) }
                } while place != nil
                return found
            }
            let whole = try await all()
            #expect(whole.count == 120 && Set(whole) == Set(bought))
            #expect(try await all { $0.app = BundleIdentifier(TestStore.bundleIdentifier) } == whole)
            #expect(try await all(by: .oldest) == whole.reversed())
            #expect(try await all(by: .oldest) { $0.state = .valid } == whole.reversed().filter { $0 != bought[70] })
            #expect(try await all { $0.state = .refunded } == [bought[70]])
            #expect(
                try await Set(all { $0.state = .unfinished }) == Set(bought.dropFirst(60)).subtracting([bought[70]]))
            #expect(try await all { $0.state = .valid }.count == 119)
            #expect(try await all { $0.kind = .autoRenewable }.isEmpty)
            #expect(Purchase.Position(text: "x.1") == nil && Purchase.Position(text: "1") == nil)
            #expect(Purchase.Position(text: "1.\0") == nil)
            for sort in PurchaseSort.allCases {
                let known = try await all()
                store.clock.advance(by: .seconds(1))
                let found = try await all(by: sort) { _ in
                } between: {
                    _ = try await phone.buy("juice", request: "late \(sort)", as: anna)
                }
                // The list that is read oldest first ends with the new purchase.
                let late = try #require(try await all().first)
                #expect(found == (sort == .newest ? known : known.reversed() + [late]))
            }
        }
    }

    @Test("A later page of a list costs as much as the first one", arguments: Engine.stores)
    func cost(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database)
            let store = try await TestStore(recorder)
            let holder = try await store.setUpTeam()
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            for number in 0..<110 { try await phone.buy("juice", request: "\(number)", as: anna) }
            let reading = store.service.teamPurchases
            let before = recorder.count
            let first = try await reading(as: holder)
            let middle = recorder.count
            let second = try await reading(before: first.next, as: holder)
            #expect(second.entries.count == ReadingTeam.pageSize && second.next != nil)
            #expect(middle - before == recorder.count - middle)
        }
    }

    @Test("A role that is taken away while its user refunds ends the refund", arguments: Engine.stores)
    func role(engine: Engine) async throws {
        try await withStore(engine) { store in
            let holder = try await store.setUpTeam()
            let support = try await store.addUser(.support, to: holder)
            let (_, _, apple) = try await store.buyWithNotification()
            try await store.service.changingUser().setRole(
                "marketing", of: support.identifier, before: "support", by: holder)
            await #expect(throws: DomainError(.forbidden, "")) {
                try await store.service.refund(
                    apple, amount: "", identifier: store.service.drawRefundIdentifier(), by: support)
            }
            #expect(try await FindingPurchase(store.context)(apple).revoked == nil)
        }
    }
}
