// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The items of teams in Connect, and the store pages and versions of their
/// apps.
extension StoreService {
    /// The use cases that read items.
    package var itemReader: RegisteringItem { RegisteringItem(context) }

    /// The use cases that read the store pages of apps.
    package var storePageReader: RegisteringStorePage { RegisteringStorePage(context) }

    /// The use cases that read the versions of apps.
    package var versionReader: RegisteringVersion { RegisteringVersion(context) }

    /// The use cases that change the store pages of apps.
    ///
    /// - Throws: The error of ``registeringItem()``.
    package func registeringStorePage() throws -> RegisteringStorePage {
        try requireCurrentSchema()
        return RegisteringStorePage(context)
    }

    /// The use cases that change the versions of apps.
    ///
    /// - Throws: The error of ``registeringItem()``.
    package func registeringVersion() throws -> RegisteringVersion {
        try requireCurrentSchema()
        return RegisteringVersion(context)
    }

    /// The use cases that change items.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func registeringItem() throws -> RegisteringItem {
        try requireCurrentSchema()
        return RegisteringItem(context)
    }
}
