// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Deletes old counts of wrong passwords, so that tries with many addresses
/// don't fill the database.
package struct PruningThrottle: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Deletes the counts whose last wrong password is more than a day old.
    ///
    /// - Throws: `DatabaseError`.
    package func callAsFunction() async throws {
        try await write { db in
            try SignInThrottle.prune(db)
        }
    }
}
