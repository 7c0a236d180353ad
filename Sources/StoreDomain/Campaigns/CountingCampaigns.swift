// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Adds the purchases that were made after a click to the numbers of their
/// campaigns, and lists these.
///
/// A purchase writes a row of its own, so that the purchases of a campaign
/// don't wait for one another. Each round marks rows as counted and adds them in
/// one transaction: a round that dies counts nothing, and two nodes count each
/// row once.
package struct CountingCampaigns: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of rows of a transaction.
    static let batch = 500
    /// The largest number of campaigns of a page.
    package static let pageSize = 200

    /// Counts all purchases that aren't counted yet.
    ///
    /// - Throws: `DatabaseError`.
    package func callAsFunction() async throws {
        guard try await read({ db in try CampaignPurchase.isUncounted(db) }) else { return }
        var count: Int
        repeat {
            faults("countcampaigns:before")
            count = try await write(.key("campaigns")) { db in
                let counted = try CampaignPurchase.count(limit: Self.batch, db)
                for campaign in Campaign.sums(of: counted) { try campaign.add(db) }
                return counted.count
            }
            faults("countcampaigns:after")
        } while count == Self.batch
    }

    /// The campaigns of a seller, or of all sellers, after an identifier, at
    /// most ``pageSize`` in the order of their identifiers. All purchases until
    /// now are counted.
    ///
    /// - Throws: `DatabaseError`.
    package func list(of seller: String? = nil, after last: String = "") async throws -> [Campaign] {
        try await callAsFunction()
        return try await read { db in try Campaign.list(of: seller, after: last, limit: Self.pageSize, db) }
    }
}
