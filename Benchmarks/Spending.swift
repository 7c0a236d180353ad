// SPDX-License-Identifier: Apache-2.0

import StoreMeasurement

/// The work of a store, in the numbers that explain its rate.
struct Spending {
    /// HTTP requests.
    var requests = 0
    /// The transactions, statements and commits of the store's database. A
    /// commit of several customers' writes on SQLite counts once for each
    /// write.
    var database = RecordingDatabase.Count()
    /// Signatures of receipts.
    var signatures = 0

    static func + (left: Spending, right: Spending) -> Spending {
        var sum = left
        sum.requests += right.requests
        sum.database.transactions += right.database.transactions
        sum.database.statements += right.database.statements
        sum.database.commits += right.database.commits
        sum.signatures += right.signatures
        return sum
    }

    static func - (left: Spending, right: Spending) -> Spending {
        var difference = left
        difference.requests -= right.requests
        difference.database = left.database - right.database
        difference.signatures -= right.signatures
        return difference
    }

    /// The numbers of one of several operations. Work of the store itself
    /// makes them fractions.
    func description(of operations: Int) -> String {
        func each(_ number: Int, _ unit: String) -> String {
            let tenths = (Double(number) / Double(operations) * 10).rounded()
            let text = tenths.remainder(dividingBy: 10) == 0 ? "\(Int(tenths / 10))" : "\(tenths / 10)"
            return "\(text) \(unit)"
        }
        return "each: "
            + [
                each(requests, "requests"), each(database.transactions, "transactions"),
                each(database.statements, "statements"), each(database.commits, "commits"),
                each(signatures, "signatures"),
            ].joined(separator: ", ")
    }
}
