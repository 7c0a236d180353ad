// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase
package import StoreDomain

extension Engine {
    /// Runs a test with a store on an empty database of this engine.
    ///
    /// `provider` makes the payment provider. Without it the store has the
    /// sandbox's provider.
    package func withStore(
        clock: TestClock = TestClock(), provider: (any Database) -> (any PaymentProvider)? = { _ in nil },
        _ body: (TestStore) async throws -> Void
    ) async throws {
        try await withDatabase(hasTables: true) { database in
            try await body(try await TestStore(database, clock: clock, provider: provider(database)))
        }
    }
}
