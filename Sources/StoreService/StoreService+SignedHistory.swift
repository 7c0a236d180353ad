// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

extension StoreService {
    func signedTransactions(
        _ call: SignedTransactionsCall, _ message: StoreMessage
    ) async throws -> SignedTransactionsCall.Answer {
        let place = try call.after.map { text in
            guard let place = PurchaseRevision(text) else {
                throw StoreFailure(.invalid, "\"after\" isn't the place of a page: send \"next\" of the last answer.")
            }
            return place
        }
        let app = BundleIdentifier(call.bundleIdentifier)
        let page = try await ReadingSignedHistory(context)(
            on: message.device, in: app, of: call.account.map { AccountIdentifier($0) }, after: place,
            version: call.applicationVersion)
        guard let page else { return SignedTransactionsCall.Answer() }
        let sign = SigningPayloads(context, authority: authority)
        let signed = try await sign(page.purchases, for: message.device)
        var answer = SignedTransactionsCall.Answer(
            position: EventPosition(page.account),
            transactions: zip(page.purchases, signed).map { SignedTransactionInfo($0, signed: $1) },
            next: page.place.text, hasMore: page.hasMore)
        guard let served = page.app else { return answer }
        let renewals = try await sign(page.subscriptions.map(\.renewal), for: message.device)
        answer.renewals = zip(page.subscriptions, renewals).map { SignedRenewalInfo($0, signed: $1) }
        answer.app = try await sign(served, version: call.applicationVersion, for: message.device)
        return answer
    }
}

extension SignedTransactionInfo {
    fileprivate init(_ purchase: Purchase, signed: String) {
        self.init(
            transactionIdentifier: purchase.transactionIdentifier.rawValue,
            productIdentifier: purchase.productIdentifier.rawValue, signed: signed,
            isConsumed: purchase.kind == .consumable && !purchase.isInReceipt ? true : nil)
    }
}

extension SignedRenewalInfo {
    fileprivate init(_ listed: ReadingSubscriptionStatuses.Listed, signed: String) {
        self.init(
            transactionIdentifier: listed.purchase.transactionIdentifier.rawValue,
            groupIdentifier: listed.group.rawValue, signed: signed)
    }
}
