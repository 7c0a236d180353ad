// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreMeasurement
import StoreService
import StoreTestSupport
import Testing

/// The cost of each operation of a purchase. A change that makes one dearer or
/// cheaper has to change its line of ``budget``. `RequestBudgetTests` has the
/// cost of whole purchases with their requests, and `AgentBudgetTests` that of
/// one with a real agent.
struct PurchaseBudgetTests {
    /// The cost of each operation, for a non-consumable with a price on a
    /// device that is signed in. An operation that a device asks for includes
    /// the look-up of the device's secret.
    private static let budget: [(operation: String, cost: OperationCost)] = [
        ("products request of 100", .init(transactions: 2, statements: 4, commits: 0)),
        ("ask", .init(transactions: 2, statements: 7, commits: 1)),
        ("show the sheet", .init(transactions: 1, statements: 6, commits: 0)),
        ("check a password", .init(transactions: 2, statements: 13, commits: 2)),
        ("open a browser's session", .init(transactions: 1, statements: 3, commits: 1)),
        ("find a browser's session", .init(transactions: 1, statements: 2, commits: 0)),
        ("confirm", .init(transactions: 1, statements: 10, commits: 1)),
        ("authorise", .init(transactions: 1, statements: 4, commits: 1)),
        ("commit", .init(transactions: 1, statements: 17, commits: 1)),
        ("capture", .init(transactions: 2, statements: 3, commits: 2)),
        ("ask again", .init(transactions: 2, statements: 4, commits: 1)),
        ("queue", .init(transactions: 2, statements: 3, commits: 0)),
        ("events", .init(transactions: 4, statements: 5, commits: 0)),
        ("receipt", .init(transactions: 2, statements: 4, commits: 0, signatures: 1)),
        ("transaction receipts", .init(transactions: 2, statements: 3, commits: 0, signatures: 1)),
        ("/verifyReceipt", .init(transactions: 1, statements: 1, commits: 0)),
        ("/verifyReceipt of the old format", .init(transactions: 1, statements: 1, commits: 0)),
        ("finish", .init(transactions: 3, statements: 5, commits: 1)),
        ("restore", .init(transactions: 2, statements: 9, commits: 1)),
        ("restore page", .init(transactions: 2, statements: 4, commits: 1)),
    ]

    @Test("Each operation of a purchase keeps to its budget", arguments: Engine.stores)
    func budget(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            OperationCost.expect(try await Self.costs(in: RecordingDatabase(database)), toBe: Self.budget)
        }
    }

    @Test("A purchase whose requests go to two nodes costs no more than one of a single node", arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await engine.withTwoDatabases(hasTables: true) { one, other in
            let asked = MeasuredOperations(in: RecordingDatabase(one))
            let confirming = MeasuredOperations(in: RecordingDatabase(other))
            let first = try await TestStore(asked.recorder, metrics: asked.signatures)
            // Another seed: the nodes must not draw the same identifiers.
            let second = try await TestStore(confirming.recorder, seed: 8, metrics: confirming.signatures)
            let anna = try await first.addAccount()
            let phone = try await first.addDevice()
            try await phone.signIn(anna)
            let feed = try await first.service.feed(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier,
                    position: EventPosition(account: anna.identifier.rawValue, number: 0)))

            let ask = try await asked.measure("ask") { try await phone.ask("apple", request: "1") }
            let token = try phone.token(ask.sheet)
            try await asked.measure("while the other node confirms") {
                try await confirming.measure("confirm") {
                    _ = try await second.service.buy(onSheet: token, as: anna, shown: nil)
                }
            }
            // Without an announcement. One would save these reads.
            await asked.measure("catch up") { await first.service.catchUp() }
            let item = try await asked.measure("read the event") { try await feed.next() }
            guard case .event(let event) = item else { throw Missing() }
            #expect(event.content is TransactionEvent)

            OperationCost.expect(
                asked.costs,
                toBe: [
                    ("ask", .init(transactions: 2, statements: 7, commits: 1)),
                    ("while the other node confirms", .init(transactions: 0, statements: 0, commits: 0)),
                    ("catch up", .init(transactions: 2, statements: 2, commits: 0)),
                    ("read the event", .init(transactions: 1, statements: 2, commits: 0)),
                ])
            // The sum of a single node's lines.
            OperationCost.expect(
                confirming.costs, toBe: [("confirm", .init(transactions: 5, statements: 34, commits: 5))])
        }
    }

    private struct Missing: Error {}

    /// Buys, finishes and restores once, and returns the cost of each operation.
    private static func costs(in recorder: RecordingDatabase) async throws -> [String: OperationCost] {
        let steps = MeasuredOperations(in: recorder)
        let store = try await TestStore(recorder, faults: { steps.reach($0) }, metrics: steps.signatures)
        let anna = try await store.addAccount()
        let phone = try await store.addDevice()
        // The store looks an app up only once.
        try await phone.signIn(anna)
        try await store.sell(100)

        let identifiers = (0..<100).map { "fruit\($0)" }
        let listing = try await steps.measure("products request of 100") {
            try await phone.call(
                ProductsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: identifiers, languages: []))
        }
        #expect(listing.products.count == 100)
        let asked = try await steps.measure("ask") { try await phone.ask("apple", request: "1") }
        let token = try phone.token(asked.sheet)
        _ = try await steps.measure("show the sheet") { try await store.service.sheet(token) }
        _ = try await steps.measure("check a password") {
            try await store.service.signIn(email: anna.email, password: TestStore.password, onSheet: token)
        }
        let session = try await steps.measure("open a browser's session") {
            try await store.service.openSheetSession(for: anna)
        }
        let known = try await steps.measure("find a browser's session") {
            try await store.service.sheetSession(session)
        }
        #expect(known?.identifier == anna.identifier)
        steps.begin()
        _ = try await store.service.buy(onSheet: token, as: anna, shown: nil)
        steps.end()
        let answer = try await steps.measure("ask again") { try await phone.ask("apple", request: "1") }
        let apple = try #require(answer.transaction?.transactionIdentifier)
        let queue = try await steps.measure("queue") { try await phone.queue() }
        #expect(queue.map(\.transactionIdentifier) == [apple])
        let subscription = EventSubscription(
            credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier,
            position: EventPosition(account: anna.identifier.rawValue, number: 0))
        // The first stream of a day records that the device uses the app.
        _ = try await store.service.feed(subscription)
        let feed = try await steps.measure("events") { try await store.service.feed(subscription) }
        #expect(try await feed.next() != nil)
        let issued = try await steps.measure("receipt") { try await phone.receiptAnswer() }
        let receipts = try await steps.measure("transaction receipts") {
            try await phone.call(
                TransactionReceiptsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0", transactions: [apple]))
        }
        let formats = [
            ("/verifyReceipt", issued.receipt), ("/verifyReceipt of the old format", receipts.receipts[apple]),
        ]
        for (operation, receipt) in formats {
            let sent = try #require(receipt.flatMap { Data(base64Encoded: $0) })
            _ = try await steps.measure(operation) {
                try await store.service.currentState(of: store.service.verify(receipt: sent), extent: .all)
            }
        }
        try await steps.measure("finish") { try await phone.finish(apple) }
        for operation in ["restore", "restore page"] {
            let page = try await steps.measure(operation) { try await phone.restore(request: "restore") }
            #expect(page.transactions.count == 1)
        }
        return steps.costs
    }
}
