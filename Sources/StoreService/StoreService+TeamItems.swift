// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The items of teams in Connect.
extension StoreService {
    /// The use cases that read items.
    package var itemReader: RegisteringItem { RegisteringItem(context) }

    /// The use cases that change items.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func registeringItem() throws -> RegisteringItem {
        try requireCurrentSchema()
        return RegisteringItem(context)
    }
}
