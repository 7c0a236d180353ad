// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Looks up an app by its bundle identifier.
package struct FindingApp: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The app; `nil` for a bundle identifier that isn't registered.
    package func callAsFunction(_ bundleIdentifier: BundleIdentifier) async throws -> App? {
        try await read { try Catalogue.app(bundleIdentifier, $0) }
    }
}
