// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreDomain
import StoreTestSupport
import Testing

extension TestStore {
    /// Recovers every payment that is under way, then requires that the
    /// provider's books and the store's agree: no payment is charged without
    /// a delivery or delivered without a charge, and none is left under way.
    func checkMoney(at location: SourceLocation = #_sourceLocation) async throws {
        try await recover()
        let complaints = try await context.database.read { connection in
            try Books(connection).complaints
        }
        try #require(complaints.isEmpty, "\(complaints.joined(separator: "; "))", sourceLocation: location)
    }
}

/// Every row about money, in one snapshot of the database.
private struct Books {
    /// A payment in the store's books or in the provider's.
    private struct Record {
        var status: String
        var amount: Money
        /// The part of the amount that was given back, in thousandths.
        var refunded: Int64
    }

    private struct Entry {
        var kind: String
        var transaction: String
        var payment: String?
        var amount: Money
    }

    private struct Sale {
        var number: String
        var original: String
        var amount: Money
        var storefront: String
        var isRevoked: Bool
        /// Whether a part of the price was refunded.
        var isPart: Bool
        var isUpgraded: Bool
    }

    private var provider: [String: Record] = [:]
    private var payments: [String: Record] = [:]
    private var sales: [Sale] = []
    private var entries: [Entry] = []
    private var queueEntries: [String: Int] = [:]
    private var finished: Set<String> = []

    init(_ connection: any Connection) throws {
        let payment = "payment_number, status, milliunits, currency"
        provider = try Self.records(
            "SELECT \(payment), refunded_milliunits AS refunded FROM sandbox_payment", connection)
        payments = try Self.records("SELECT \(payment), returned_milliunits AS refunded FROM payment", connection)
        sales = try connection.rows(
            """
            SELECT transaction_id, original_transaction_id, milliunits, currency, storefront, revoked_at, is_upgraded,
                revoked_part
            FROM purchase
            -- A purchase that a family shares has no charge.
            WHERE shared_by IS NULL OR milliunits <> 0 OR transaction_id IN (SELECT transaction_id FROM ledger_entry)
            ORDER BY transaction_id
            """
        ).map { row in
            let revoked: Int64? = try row.get("revoked_at")
            return Sale(
                number: try row.get("transaction_id"), original: try row.get("original_transaction_id"),
                amount: try row.money, storefront: try row.get("storefront"), isRevoked: revoked != nil,
                isPart: (try row.get("revoked_part") as Int64?) != nil, isUpgraded: try row.get("is_upgraded"))
        }
        entries = try connection.rows(
            "SELECT kind, transaction_id, payment_number, milliunits, currency FROM ledger_entry"
        ).map { row in
            Entry(
                kind: try row.get("kind"), transaction: try row.get("transaction_id"),
                payment: try row.get("payment_number"), amount: try row.money)
        }
        let queued = try connection.rows(
            "SELECT transaction_id, count(*) AS n FROM queue_entry GROUP BY transaction_id")
        for row in queued { queueEntries[try row.get("transaction_id")] = try row.get("n") }
        let events = try connection.rows("SELECT transaction_id FROM event WHERE kind = 'finished'")
        for row in events { finished.insert(try row.get("transaction_id")) }
    }

    private static func records(_ sql: String, _ connection: any Connection) throws -> [String: Record] {
        try connection.rows(sql).reduce(into: [:]) { records, row in
            records[try row.get("payment_number")] = Record(
                status: try row.get("status"), amount: try row.money, refunded: try row.get("refunded"))
        }
    }

    /// The contradictions, at most one sentence per payment and purchase.
    var complaints: [String] {
        let charges = Dictionary(grouping: entries.filter { $0.kind == "charge" }) { $0.payment ?? "" }
        let byPurchase = Dictionary(grouping: entries, by: \.transaction)
        let charged = charges.keys.filter { !$0.isEmpty }
        let numbers = Set(payments.keys).union(provider.keys).union(charged).sorted()
        let ofPayments = numbers.compactMap { complaint(payment: $0, charges: charges[$0] ?? []) }
        let ofPurchases = sales.compactMap { complaint($0, entries: byPurchase[$0.number] ?? []) }
        return ofPayments + ofPurchases
    }

    private func complaint(payment number: String, charges: [Entry]) -> String? {
        guard let mine = payments[number] else { return "payment \(number): the store doesn't have it" }
        guard let other = provider[number] else { return "payment \(number): the provider doesn't have it" }
        guard mine.status == other.status, mine.amount == other.amount, mine.refunded == other.refunded else {
            return """
                payment \(number): the store has it as \(mine.status), \(mine.amount) without \(mine.refunded), \
                the provider as \(other.status), \(other.amount) without \(other.refunded)
                """
        }
        let bought = sales.filter { sale in charges.contains { $0.transaction == sale.number } }
        switch mine.status {
        case "declined", "voided":
            return charges.isEmpty ? nil : "payment \(number) is \(mine.status), and charged in the ledger"
        case "captured", "refunded":
            guard charges.count == 1, bought.count == 1, let sale = bought.first else {
                return "payment \(number) is \(mine.status), and has \(bought.count) purchases"
            }
            guard charges.allSatisfy({ $0.amount == mine.amount }), sale.amount == mine.amount else {
                return "payment \(number) is of \(mine.amount), its purchase \(sale.number) of \(sale.amount)"
            }
            // An upgrade at the moment of the purchase gives the whole price back, and a refund of a part leaves one.
            let isReturned = mine.status == "refunded"
            let isWhole = sale.isRevoked && !sale.isPart
            guard isWhole == isReturned || isReturned && sale.isUpgraded else {
                let state = sale.isRevoked ? "revoked" : "not revoked"
                return "payment \(number) is \(mine.status), and its purchase \(sale.number) is \(state)"
            }
            return nil
        default:
            return "payment \(number) is still \(mine.status)"
        }
    }

    private func complaint(_ sale: Sale, entries: [Entry]) -> String? {
        let charges = entries.filter { $0.kind == "charge" }
        guard charges.count == 1, let charge = charges.first, charge.amount == sale.amount else {
            return "purchase \(sale.number) of \(sale.amount) has the charges \(charges.map(\.amount))"
        }
        guard charge.payment != nil || sale.amount.milliunits == 0 else {
            return "purchase \(sale.number) costs \(sale.amount), and has no payment"
        }
        let name = "purchase \(sale.number) (payment \(charge.payment ?? "none"))"
        guard Storefront.named(sale.storefront)?.currency == sale.amount.currency else {
            return "\(name) costs \(sale.amount) in the storefront \(sale.storefront)"
        }
        // A reversal has the amount of the refunds that it takes back.
        let refunds = entries.filter { $0.kind == "refund" || $0.kind == "refund reversed" }.map(\.amount.milliunits)
        let isReversed = entries.contains { $0.kind == "refund reversed" }
        let sum = refunds.reduce(0, -)
        if sale.isRevoked, sale.number == sale.original {
            let isRight = sale.isPart ? 0 < sum && sum < sale.amount.milliunits : sum == sale.amount.milliunits
            guard isRight, !refunds.isEmpty else {
                return "\(name) of \(sale.amount) is revoked, and has the refunds \(refunds)"
            }
        } else {
            guard sum == charge.payment.map({ payments[$0]?.refunded ?? 0 }) ?? 0,
                refunds.isEmpty || isReversed || sum > 0
            else {
                return "\(name) of \(sale.amount) has the refunds \(refunds), and its payment others"
            }
        }
        guard sale.isRevoked || refunds.isEmpty || isReversed || sale.isUpgraded else {
            return "\(name) has the refunds \(refunds), and isn't revoked"
        }
        let waiting = queueEntries[sale.number] ?? 0
        let isOver = sale.isRevoked || finished.contains(sale.number)
        guard waiting == (isOver ? 0 : 1) else { return "\(name) has \(waiting) queue entries" }
        return nil
    }
}

extension Row {
    fileprivate var money: Money {
        get throws { Money(milliunits: try get("milliunits"), currency: try get("currency")) }
    }
}
