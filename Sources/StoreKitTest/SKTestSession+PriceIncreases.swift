// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAssembly
import StoreDomain

// The session's operations on price increases in its store.
extension SKTestSession {
    /// Tells the customer that the next period of a transaction's subscription
    /// needs consent.
    func requestPriceConsent(of identifier: UInt) throws {
        let host = try host()
        try host.perform { _ in
            await host.renew()
            let purchase = try await host.subscriptionPurchase("\(identifier)")
            do {
                try await AskingForPriceConsent(host.store.context)(purchase.transactionIdentifier)
            } catch let error as DomainError where error.code == .notFound {
                throw SKTestError(.noSubscriptionFound, message: error.message)
            }
        }
    }

    /// Answers the price increase of a transaction's subscription.
    func answerPriceIncrease(of identifier: UInt, agrees: Bool) throws {
        let host = try host()
        try host.perform { _ in
            await host.renew()
            let purchase = try await host.subscriptionPurchase("\(identifier)")
            let answering = AnsweringPriceIncrease(host.store.context)
            let (original, account) = (purchase.originalTransactionIdentifier, purchase.account)
            do {
                if agrees {
                    try await answering.agree(original, account: account)
                } else {
                    try await answering.decline(original, account: account)
                }
            } catch let error as DomainError where error.code == .notFound {
                throw SKTestError(.invalidAction, message: error.message)
            }
        }
    }
}

extension SubscriptionState {
    /// Whether a price increase waits for the customer's consent.
    var waitsForConsent: Bool {
        guard let priceIncrease, expired == nil, turnedOff != .priceIncrease else { return false }
        return priceIncrease.isUndecided
    }
}
