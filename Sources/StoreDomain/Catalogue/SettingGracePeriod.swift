// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Sets the grace period of an app: the time for which the customer keeps a
/// subscription whose renewal couldn't be charged.
package struct SettingGracePeriod: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Sets the grace period to 0, 3, 16 or 28 days. It applies to billing
    /// errors after the change.
    ///
    /// - Throws: ``DomainError``: `invalid` for another number, `notFound` for
    ///   an unknown app.
    package func callAsFunction(days: Int, of bundleIdentifier: BundleIdentifier) async throws {
        guard [0, 3, 16, 28].contains(days) else {
            throw DomainError(.invalid, "A grace period has 0, 3, 16 or 28 days, not \(days).")
        }
        try await write(.catalogue(of: bundleIdentifier)) { db in
            guard try Catalogue.setGracePeriod(days: days, of: bundleIdentifier, db) else {
                throw DomainError(.notFound, "The store has no app \(bundleIdentifier).")
            }
        }
    }
}
