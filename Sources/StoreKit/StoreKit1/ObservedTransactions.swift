// SPDX-License-Identifier: Apache-2.0

/// The unfinished transactions that the observers of this process have
/// received. A new observer receives them first.
struct ObservedTransactions {
    private var transactions: [String: (number: Int, transaction: SKPaymentTransaction)] = [:]
    private var count = 0

    /// The transactions as last delivered, in the order of their first
    /// delivery.
    var all: [SKPaymentTransaction] {
        transactions.values.sorted { $0.number < $1.number }.map(\.transaction)
    }

    mutating func record(_ transaction: SKPaymentTransaction) {
        guard let entry = transaction.contents.entry else { return }
        count += 1
        transactions[entry] = (transactions[entry]?.number ?? count, transaction)
    }

    mutating func forget(_ entry: String) {
        transactions[entry] = nil
    }

    /// Removes all transactions but these.
    mutating func keep(_ kept: [SKPaymentTransaction]) {
        let entries = Set(kept.compactMap(\.contents.entry))
        transactions = transactions.filter { entries.contains($0.key) }
    }
}
