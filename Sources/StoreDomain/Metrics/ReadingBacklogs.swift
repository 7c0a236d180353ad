// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads how much work is due, for an operator's metrics.
package struct ReadingBacklogs: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Reads the work of all kinds in one transaction.
    ///
    /// - Throws: `DatabaseError` when the database can't be read.
    package func callAsFunction() async throws -> [Backlog.Kind: Backlog] {
        try await read { db in
            [.payments: try Payment.backlog(db)]
        }
    }
}
