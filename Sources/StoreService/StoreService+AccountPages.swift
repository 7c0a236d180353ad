// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

/// The pages of an account that an app shows.
extension StoreService {
    func accountPage(_ call: AccountPageCall, _ message: StoreMessage) async throws -> AccountPageCall.Answer {
        switch call.kind {
        case .subscriptions: return AccountPageCall.Answer(page: "\(publicURL)/account/subscriptions")
        case .payment: return AccountPageCall.Answer(page: "\(publicURL)/account/payment")
        case .refund: return try await refundPage(call, message)
        case .family: return try await familyPage(call, message)
        default: return AccountPageCall.Answer()
        }
    }

    private func refundPage(_ call: AccountPageCall, _ message: StoreMessage) async throws -> AccountPageCall.Answer {
        guard let transaction = call.transactionIdentifier else {
            throw StoreFailure(.invalid, "The page \"refund\" needs a transactionIdentifier.")
        }
        let state = try await FindingRefundRequest(context)(
            TransactionIdentifier(transaction), in: BundleIdentifier(call.bundleIdentifier), on: message.device)
        return AccountPageCall.Answer(
            page: state.map { "\(publicURL)/account/purchases/\($0.purchase.transactionIdentifier)/problem" },
            refund: state.map { RefundInfo($0) })
    }

    /// The page on which a parent answers a child's request, while it waits.
    private func familyPage(_ call: AccountPageCall, _ message: StoreMessage) async throws -> AccountPageCall.Answer {
        guard let transaction = call.transactionIdentifier else {
            throw StoreFailure(.invalid, "The page \"family\" needs a transactionIdentifier.")
        }
        let waits = try await ListingChildRequests(context)
            .waits(TransactionIdentifier(transaction), forParentOn: message.device)
        return AccountPageCall.Answer(page: waits ? "\(publicURL)/account/family" : nil)
    }
}

extension RefundInfo {
    fileprivate init(_ state: FindingRefundRequest.State) {
        self.init(
            request: state.newest?.identifier.rawValue, waits: state.newest?.status.waits ?? false,
            isEligible: state.purchase.revoked == nil && state.purchase.price.milliunits > 0)
    }
}
