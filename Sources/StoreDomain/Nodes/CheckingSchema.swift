// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads whether a newer version has changed the database's schema while this
/// process serves the store.
package struct CheckingSchema: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Whether the schema has a migration that this version doesn't know.
    package func callAsFunction() async throws -> Bool {
        try await read(isUrgent: true) { db in try Schema.isNewer(db) }
    }
}
