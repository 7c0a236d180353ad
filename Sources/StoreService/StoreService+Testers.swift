// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The sandbox testers of a team in Connect.
extension StoreService {
    /// The use cases that read testers.
    package var testerReader: ReadingTesters { ReadingTesters(context) }

    /// The use cases that add and change testers.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func managingTesters() throws -> ManagingTesters {
        try requireCurrentSchema()
        return ManagingTesters(context)
    }

    /// Decides about a request of a tester that waits for an approval.
    ///
    /// - Throws: The errors of `ManagingTesters.approve` and `decline`.
    package func decide(
        _ isApproved: Bool, about transaction: TransactionIdentifier, of tester: AccountIdentifier, by user: TeamUser
    ) async throws {
        try requireCurrentSchema()
        let managing = ManagingTesters(context)
        guard isApproved else { return try await managing.decline(transaction, of: tester, by: user) }
        try requireDeliverable()
        report(try await managing.approve(transaction, of: tester, by: user))
    }
}
