// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads how much work is due, and under how many leases, for an operator's
/// metrics.
package struct ReadingBacklogs: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The work that is due, and the leases on it.
    package struct DueWork: Sendable {
        package var backlogs: [Backlog.Kind: Backlog]
        package var leases: [LeaseCount.Kind: LeaseCount]
    }

    /// Reads the work of all kinds in one transaction.
    ///
    /// - Throws: `DatabaseError` when the database can't be read.
    package func callAsFunction() async throws -> DueWork {
        try await read { db in
            DueWork(
                backlogs: [
                    .payments: try Payment.backlog(db), .renewals: try Subscription.backlog(db),
                    .providerEvents: try ProviderEvent.backlog(db), .sheets: try Sheet.backlog(db),
                    .mail: try MailOrder.backlog(db), .sharing: try SharingWork.backlog(db),
                    .priceChanges: try PriceChange.backlog(db), .massExtensions: try MassExtension.backlog(db),
                    .sales: try UncountedSale.backlog(db), .notifications: try NotificationBacklog.read(db),
                ],
                leases: try LeaseCount.all(db))
        }
    }
}
