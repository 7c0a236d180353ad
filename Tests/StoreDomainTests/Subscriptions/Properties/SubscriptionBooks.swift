// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreTestSupport
import Testing

/// The purchases of an account's periods, their entries in the ledger, the
/// phone's queue and its receipt, compared with the histories.
struct SubscriptionBooks {
    /// A purchase that is a period.
    private struct Row {
        var product: String
        var start: StoreTime
        var end: StoreTime
        var price: Money
        var refunded: StoreTime?
        var isUpgraded: Bool
    }

    private let anna: Subscriber
    private let rows: [TransactionIdentifier: Row]
    private let entries: [TransactionIdentifier: [LedgerEntry]]

    /// The prices of the catalogue, in thousandths of each currency.
    private static let prices: [String: Int64] = [
        "large": 9990, "small": 4990, "other": 5990, "yearly": 49_990, "weekly": 1490, "paper": 2990, "free": 0,
    ]

    init(of anna: Subscriber) async throws {
        self.anna = anna
        rows = try await anna.store.context.read { db in
            let rows = try db.rows(
                """
                SELECT transaction_id, product_id, purchased_at, expires_at, milliunits, currency, revoked_at,
                    is_upgraded
                FROM purchase WHERE account_id = $1 AND expires_at IS NOT NULL
                """, [anna.account.identifier])
            return try rows.reduce(into: [:]) { rows, row in
                let revoked: Int64? = try row.get("revoked_at")
                let identifier: String = try row.get("transaction_id")
                rows[TransactionIdentifier(identifier)] = Row(
                    product: try row.get("product_id"), start: StoreTime(milliseconds: try row.get("purchased_at")),
                    end: StoreTime(milliseconds: try row.get("expires_at")),
                    price: Money(milliunits: try row.get("milliunits"), currency: try row.get("currency")),
                    refunded: revoked.map { StoreTime(milliseconds: $0) }, isUpgraded: try row.get("is_upgraded"))
            }
        }
        entries = Dictionary(
            grouping: try await ReadingLedger(anna.store.context)().filter { $0.account == anna.account.identifier },
            by: \.transactionIdentifier)
    }

    /// Compares everything with the periods of all histories. `prices` are
    /// those that the periods must have; without them it is the catalogue's.
    func check(
        _ periods: [PaidTime.Paid], prices: [TransactionIdentifier: Money]? = nil, _ story: String
    ) async throws {
        #expect(Set(periods.map(\.period.transaction)) == Set(rows.keys), "\(story)")
        #expect(Set(entries.keys) == Set(rows.keys), "\(story)")
        for paid in periods {
            guard let row = rows[paid.period.transaction] else { continue }
            let name = "\(paid.period.transaction) of \(row.product)"
            #expect(isRight(row, paid), "\(name): \(row) is another period than \(paid): \(story)")
            let own = entries[paid.period.transaction] ?? []
            let charges = own.filter { $0.kind == .charge }.map(\.amount)
            #expect(charges == [row.price] && row.price == Self.price(of: row, paid, prices), "\(name): \(story)")
            let refunds = own.filter { $0.kind != .charge }
            #expect(
                refunds.allSatisfy {
                    [.refund, .refundReversed].contains($0.kind) && $0.amount.currency == row.price.currency
                }, "\(story)")
            let sum = refunds.reduce(0) { $0 - $1.amount.milliunits }
            #expect(Self.givenBack(paid).contains(sum), "\(name) has the refunds \(sum): \(story)")
        }
        let unfinished = try await anna.phone.queue().map(\.transactionIdentifier)
        let delivered = rows.filter { $0.value.refunded == nil }.keys.map(\.rawValue)
        #expect(unfinished.sorted() == delivered.sorted(), "\(story)")
        let listed = try anna.contents(of: await anna.receipt()).inAppPurchases.map(\.transactionIdentifier)
        #expect(listed.sorted() == rows.keys.map(\.rawValue).sorted(), "\(story)")
    }

    private static func price(
        of row: Row, _ paid: PaidTime.Paid, _ prices: [TransactionIdentifier: Money]?
    ) -> Money? {
        if let prices { return prices[paid.period.transaction] }
        return Self.prices[row.product].map { Money(milliunits: $0, currency: row.price.currency) }
    }

    private func isRight(_ row: Row, _ paid: PaidTime.Paid) -> Bool {
        row.product == paid.period.product.rawValue && row.start == paid.period.start && row.price == paid.period.price
            && row.refunded == paid.refunded && row.isUpgraded == (paid.upgraded != nil)
            && (row.isUpgraded || row.end == paid.end)
    }

    /// The amounts that may have been given back, in thousandths: all of a
    /// refunded period, and of an upgraded one the price of the time that was
    /// left, to a hundredth.
    private static func givenBack(_ paid: PaidTime.Paid) -> ClosedRange<Int64> {
        let price = paid.period.price.milliunits
        if paid.refunded != nil { return price...price }
        guard let upgraded = paid.upgraded else { return 0...0 }
        let left = paid.end.milliseconds - upgraded.milliseconds
        let length = max(1, paid.end.milliseconds - paid.period.start.milliseconds)
        let exact = Double(price) * min(1, Double(left) / Double(length))
        return max(0, Int64(exact) - 10)...min(price, Int64(exact) + 1)
    }
}
