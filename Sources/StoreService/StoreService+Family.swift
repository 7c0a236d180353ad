// SPDX-License-Identifier: Apache-2.0

import Logging
package import StoreDomain

/// The parent's own page of requests, and the end of those without an answer.
extension StoreService {
    /// The family of an account, and the requests that it may answer.
    package func childRequests(for parent: Account) async throws -> ListingChildRequests.Page {
        try await ListingChildRequests(context)(for: parent.identifier)
    }

    /// Approves a request to buy for a parent, who pays for it.
    ///
    /// - Returns: The request after the approval.
    /// - Throws: The errors of `ResolvingPendingPurchase.approve`.
    @discardableResult
    package func approve(
        _ transaction: TransactionIdentifier, by parent: Account, shown: Money?
    ) async throws -> DeviceRequest {
        try requireCurrentSchema()
        try requireDeliverable()
        let outcome = try await ResolvingPendingPurchase(context).approve(
            transaction, by: parent.identifier, shown: shown)
        report(outcome)
        return outcome.request
    }

    /// Declines a request to buy for a parent.
    ///
    /// - Throws: The errors of `ResolvingPendingPurchase.decline`.
    package func decline(_ transaction: TransactionIdentifier, by parent: Account) async throws {
        try requireCurrentSchema()
        try await ResolvingPendingPurchase(context).decline(transaction, by: parent.identifier)
    }

    /// Declines the requests that no parent has answered in time. One that
    /// can't be declined now is tried again in the next round.
    package func endUnansweredRequests() async {
        do {
            let ended = try await EndingUnansweredRequests(context)()
            guard !ended.isEmpty else { return }
            logger.info("ended requests to buy", metadata: ["requests": "\(ended.count)"])
        } catch {
            _ = failure(of: error, at: "ending requests to buy")
        }
    }
}
