// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDomain
import StoreService

/// Answers a request about an app receipt.
struct VerifyingAppReceipt {
    private let routes: VerifyReceiptRoutes
    private let asked: VerifyReceiptRequest
    private let address: String?

    init(_ routes: VerifyReceiptRoutes, _ asked: VerifyReceiptRequest, _ address: String?) {
        self.routes = routes
        self.asked = asked
        self.address = address
    }

    func answer(_ receipt: Data) async throws -> VerifyReceiptResponse {
        let contents = try verified(receipt)
        try routes.checkEnvironment(isProduction: contents.environment.isProduction)
        try routes.checkSecret(
            asked.password, of: contents.bundleIdentifier,
            hasSubscription: contents.inAppPurchases.contains { $0.subscriptionExpirationDate != nil }, from: address)
        let listed = try await purchasesOfNow(contents)
        let subscriptions = listed.filter { $0.subscriptionExpirationDate != nil }
        let now = routes.now
        var response = VerifyReceiptResponse(
            status: .valid, environment: routes.service.environment.rawValue,
            receipt: ReceiptBody(contents, listing: listed, requestDate: now))
        if !subscriptions.isEmpty {
            let history = SubscriptionHistory(subscriptions)
            response.latestReceipt = receipt.base64EncodedString()
            response.latestReceiptInfo =
                (asked.excludeOldTransactions == true ? history.latest : history.all).map(InAppBody.init)
            response.pendingRenewalInfo = history.latest.map { PendingRenewalBody($0, now: now) }
        }
        return response
    }

    /// The purchases that a receipt made now would list of those in this one:
    /// without those that have left the receipt since, and with later
    /// refunds.
    private func purchasesOfNow(_ contents: AppReceipt) async throws -> [InAppPurchase] {
        let states = try await routes.states(
            of: contents.inAppPurchases.map(\.transactionIdentifier), of: contents.bundleIdentifier)
        return contents.inAppPurchases.compactMap { purchase in
            guard let state = states[purchase.transactionIdentifier] else { return purchase }
            guard state.isInReceipt else { return nil }
            var purchase = purchase
            purchase.cancellationDate = purchase.cancellationDate ?? state.revoked?.date
            return purchase
        }
    }

    private func verified(_ receipt: Data) throws -> AppReceipt {
        let verifier = try routes.verifier.current(routes.service.authority)
        // A seller's server verifies receipts of any app and device.
        let verdict = try VerifyReceiptRefusal.ofMalformed { try verifier.verify(receipt, expecting: .any) }
        switch verdict {
        case .verified(let verified): return verified.contents
        case .refused(let reasons): throw VerifyReceiptRefusal(status: .notAuthentic, reasons: reasons)
        }
    }
}

/// The periods of the subscriptions in a receipt.
struct SubscriptionHistory {
    /// Newest first.
    let all: [InAppPurchase]

    init(_ purchases: [InAppPurchase]) {
        all = purchases.sorted { Self.end(of: $0) > Self.end(of: $1) }
    }

    /// The last period of each subscription, newest first.
    var latest: [InAppPurchase] {
        var seen: Set<String> = []
        return all.filter { seen.insert($0.originalTransactionIdentifier).inserted }
    }

    private static func end(of purchase: InAppPurchase) -> Date {
        purchase.subscriptionExpirationDate ?? purchase.purchaseDate
    }
}

/// The renewal state of a subscription, with Apple's field names, as far as
/// its last period shows it.
struct PendingRenewalBody: Encodable {
    private let last: InAppPurchase
    private let now: Date

    init(_ last: InAppPurchase, now: Date) {
        self.last = last
        self.now = now
    }

    func encode(to encoder: any Encoder) throws {
        let isOver = last.cancellationDate != nil || (last.subscriptionExpirationDate ?? now) <= now
        var container = encoder.container(keyedBy: ReceiptKey.self)
        try container.encode(last.productIdentifier, forKey: "product_id")
        try container.encode(last.productIdentifier, forKey: "auto_renew_product_id")
        try container.encode(last.originalTransactionIdentifier, forKey: "original_transaction_id")
        try container.encode(isOver ? "0" : "1", forKey: "auto_renew_status")
        if isOver {
            // Apple's 5 is an unknown reason. A receipt doesn't contain the reason.
            try container.encode("5", forKey: "expiration_intent")
            try container.encode("0", forKey: "is_in_billing_retry_period")
        }
    }
}
