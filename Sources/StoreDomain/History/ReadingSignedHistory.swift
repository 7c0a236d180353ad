// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the purchases and subscriptions of the account that is signed in on
/// a device, in one app, page by page in the order of the purchases' newest
/// changes.
///
/// The device keeps the place of the last page. A purchase that is changed
/// while the device reads the pages is on a later page again.
package struct ReadingSignedHistory: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most purchases of a page.
    package static let pageSize = 50

    /// A part of a history.
    package struct Page: Sendable {
        /// The account, with the number of its newest event. The number is
        /// read before the purchases, which may therefore be newer.
        package var account: Account
        package var purchases: [Purchase]
        /// The place after which the next page begins.
        package var place: PurchaseRevision
        package var hasMore: Bool
        /// The subscriptions; empty before the last page.
        package var subscriptions: [ReadingSubscriptionStatuses.Listed] = []
        /// The account's app; `nil` before the last page.
        package var app: ServedApp?
    }

    /// The page after a place; `nil` when no account is signed in. The place
    /// of another account than the one that is signed in is ignored. `version`
    /// is that of the app on the device.
    ///
    /// - Throws: `DatabaseError`.
    package func callAsFunction(
        on device: DeviceIdentifier, in bundleIdentifier: BundleIdentifier, of known: AccountIdentifier?,
        after place: PurchaseRevision?, version: String? = nil
    ) async throws -> Page? {
        try await read { db in
            guard let account = try Device.signedInAccount(on: device, db) else { return nil }
            let start = account.identifier == known ? place ?? .start : .start
            let rows = try Purchase.revised(
                after: start, of: account.identifier, bundleIdentifier: bundleIdentifier, limit: Self.pageSize + 1, db)
            let listed = rows.prefix(Self.pageSize)
            var page = Page(
                account: account, purchases: listed.map(\.purchase), place: listed.last?.revision ?? start,
                hasMore: rows.count > listed.count)
            guard !page.hasMore else { return page }
            let moment = account.clock.time(at: db.now)
            page.subscriptions = try ReadingSubscriptionStatuses.all(
                of: account.identifier, bundleIdentifier: bundleIdentifier, at: moment, db)
            page.app = try ReadingServedApp.find(
                bundleIdentifier, version: version, of: account.identifier, clock: account.clock, before: moment, db)
            return page
        }
    }
}
