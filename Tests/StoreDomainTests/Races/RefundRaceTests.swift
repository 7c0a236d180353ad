// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Refunds on one node against captures on the other: the money is given back
/// in either order.
struct RefundRaceTests {
    private struct Sale: Sendable {
        var payment: Payment
        var transaction: String
    }

    @Test("A capture against a refund: 2,000 tries on PostgreSQL, 300 on SQLite", arguments: Engine.stores)
    func captures(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            var sales: [Sale] = []
            for number in 0..<4 {
                let customer = try await nodes.customer(number, device: UInt8(number + 1))
                let bought = try await customer.phone.buy("juice", request: "r", as: customer.account)
                sales.append(try await sale(bought.transactionIdentifier, nodes.first))
            }
            for round in 0..<(engine.isPostgreSQL ? 500 : 75) {
                try await rewind(nodes.first)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, sale) in sales.enumerated() {
                        group.addTask { try await Self.captureAndRefund(sale, delay: (round + number) % 6, nodes) }
                    }
                    try await group.waitForAll()
                }
                try await checkRefunded(sales.count, "round \(round)", nodes)
            }
        }
    }

    @Test("A refund at each step after a purchase is committed", arguments: Engine.stores)
    func steps(engine: Engine) async throws {
        let hook = StepHook()
        try await engine.withNodes(faults: { hook.reach($0) }) { nodes in
            let steps = ["commit:after", "capture:before", "capture:after", "sheet:after"]
            for (number, step) in steps.enumerated() {
                let customer = try await nodes.customer(number)
                let sheet = try await customer.appleSheet(request: "r-\(number)")
                hook.at(step) {
                    try blocking {
                        let transaction = try await nodes.second.onlyTransaction(of: customer.account)
                        try await nodes.second.service.refund(TransactionIdentifier(transaction))
                    }
                }

                _ = try await nodes.first.service.buy(onSheet: sheet, as: customer.account, shown: nil)

                let refusal = try hook.refusal()
                #expect(refusal == nil, "\(step)")
                try await checkRefunded(number + 1, step, nodes)
            }
        }
    }

    /// One capture and one refund at the same time.
    private static func captureAndRefund(_ sale: Sale, delay: Int, _ nodes: Nodes) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await nodes.first.readTimes(delay)
                // After the refund the provider has nothing to capture.
                try await allowingRefusal { try await Buying(nodes.first.context).capture(sale.payment) }
            }
            group.addTask {
                _ = try await RefundingPurchase(nodes.second.context)(TransactionIdentifier(sale.transaction))
            }
            try await group.waitForAll()
        }
    }

    /// A purchase with its payment.
    private func sale(_ transaction: String, _ store: TestStore) async throws -> Sale {
        let payment = try await store.context.read { db -> Payment? in
            guard let purchase = try Purchase.find(TransactionIdentifier(transaction), db) else {
                return nil
            }
            return try Payment.of(purchase, db)
        }
        return Sale(payment: try #require(payment), transaction: transaction)
    }

    /// Makes every payment committed again and its purchase not refunded, so
    /// that a try needs no new purchase.
    private func rewind(_ store: TestStore) async throws {
        try await store.context.database.write { connection in
            for statement in [
                "UPDATE payment SET status = 'committed', returned_milliunits = 0", "DELETE FROM refund",
                "UPDATE sandbox_payment SET status = 'authorised', refunded_milliunits = 0",
                "DELETE FROM sandbox_refund",
                "UPDATE purchase SET revoked_at = NULL", "DELETE FROM ledger_entry WHERE kind = 'refund'",
            ] {
                try connection.run(statement)
            }
        }
    }

    /// Recovers the payments that are under way, and requires that every
    /// payment is refunded in the store's books and in the provider's.
    private func checkRefunded(_ count: Int, _ place: String, _ nodes: Nodes) async throws {
        let store = nodes.first
        // Recovers the payments, and names a wrong one.
        try await store.checkMoney()
        let refunded = try await store.count("payment", where: "status = 'refunded'")
        try #require(refunded == count, "\(place): \(refunded) payments of \(count) are refunded")
        let revoked = try await store.count("purchase", where: "revoked_at IS NOT NULL")
        try #require(revoked == count, "\(place): \(revoked) purchases of \(count) are revoked")
        let sum = try await store.ledger().reduce(0, +)
        try #require(sum == 0, "\(place): the ledger sums to \(sum)")
    }
}

extension TestStore {
    /// The transaction identifier of an account's only purchase.
    func onlyTransaction(of account: Account) async throws -> String {
        let rows = try await context.database.read { connection in
            try connection.rows("SELECT transaction_id FROM purchase WHERE account_id = $1", [account.identifier])
        }
        return try #require(rows.count == 1 ? rows.first : nil).get("transaction_id")
    }
}
