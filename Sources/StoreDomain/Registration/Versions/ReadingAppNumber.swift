// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the number of an app for a seller's server: Apple's `appAppleId`.
package struct ReadingAppNumber: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The number of an app; `nil` in the sandbox, and for an app without one.
    package func callAsFunction(of app: BundleIdentifier) async throws -> Int64? {
        guard environment == .production else { return nil }
        return try await read { db in try AppNumbers.find(app, db).app }
    }
}
