// SPDX-License-Identifier: Apache-2.0

import Logging
package import StoreDomain

/// The parent's own page of requests, the news of a request, the end of those
/// without an answer, and the sharing of purchases.
extension StoreService {
    /// The family of an account, and the requests that it may answer.
    package func childRequests(for parent: Account) async throws -> ListingChildRequests.Page {
        try await ListingChildRequests(context)(for: parent.identifier)
    }

    /// Begins a family, whose organiser is the account.
    ///
    /// - Throws: The errors of `ChangingFamily.begin`.
    package func beginFamily(of organiser: Account) async throws {
        try requireCurrentSchema()
        _ = try await ChangingFamily(context).begin(organiser: organiser.email, byCustomer: true)
    }

    /// Adds an account whose password was checked.
    ///
    /// - Throws: The errors of `ChangingFamily.add`.
    package func addFamilyMember(_ member: Account, as role: FamilyMember.Role, organiser: Account) async throws {
        try requireCurrentSchema()
        _ = try await ChangingFamily(context).add(
            member.email, as: role, organiser: organiser.email, byCustomer: true)
    }

    /// Approves a request to buy for a parent, who pays for it, on the terms that
    /// were `shown`.
    ///
    /// - Returns: The request after the approval.
    /// - Throws: The errors of `ResolvingPendingPurchase.approve`.
    @discardableResult
    package func approve(
        _ transaction: TransactionIdentifier, by parent: Account, shown: AgreedTerms?
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

    /// Notifies the parents of families of the requests to buy that wait for
    /// them. One who can't be notified now is tried again in the next round.
    package func notifyParents() async {
        do {
            try requireCurrentSchema()
            try await NotifyingParents(context)() { [logger] failure in
                logger.warning(
                    "a parent isn't notified yet",
                    metadata: ["account": "\(failure.account)", "error": "\(failure.error)"])
            }
        } catch {
            _ = failure(of: error, at: "notifying parents")
        }
    }

    /// Gives the members of families the purchases that the others share, and
    /// takes away those whose sharing has ended. An account that fails is
    /// logged, and tried again in the next round.
    package func sharePurchases() async {
        do {
            try requireDeliverable()
            try await SharingPurchases(context)() { [logger] failure in
                logger.warning(
                    "sharing waits", metadata: ["account": "\(failure.account)", "error": "\(failure.error)"])
            }
        } catch {
            _ = failure(of: error, at: "sharing purchases")
        }
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
