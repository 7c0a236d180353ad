// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Counts how often each product was sold.
///
/// A purchase writes a row of its own, so that the purchases of a product don't
/// wait for one another. Each round takes rows away and adds them to the
/// numbers in one transaction: a round that dies counts nothing, and two nodes
/// count each row once.
package struct CountingSales: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of rows of a transaction.
    static let batch = 500

    /// Counts all sales that aren't counted yet.
    ///
    /// - Throws: `DatabaseError`.
    package func callAsFunction() async throws {
        guard try await read({ db in try UncountedSale.exists(db) }) else { return }
        var count: Int
        repeat {
            faults("countsales:before")
            count = try await write(.key("sales")) { db in
                let taken = try UncountedSale.take(limit: Self.batch, db)
                for sum in ProductSales.sums(of: taken) where sum.sales != 0 { try sum.add(db) }
                return taken.count
            }
            faults("countsales:after")
        } while count == Self.batch
    }
}
