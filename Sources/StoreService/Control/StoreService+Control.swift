// SPDX-License-Identifier: Apache-2.0

import Logging
package import StoreDomain

/// What is decided about purchases and accounts by others than a customer on
/// a sheet: a parent, the sandbox's remote control, a test.
///
/// Every function tells the devices that must hear of it before it returns.
extension StoreService {
    /// Approves a request to buy (Ask to Buy), by the number of the purchase
    /// that it will be.
    ///
    /// - Throws: What `DecidingLater.approve` throws.
    @discardableResult
    package func approve(_ transaction: String) async throws -> Request {
        try requireDeliverable()
        let outcome = try await DecidingLater(context).approve(transaction, now: now)
        announce(outcome)
        return outcome.request
    }

    /// Declines a request to buy.
    ///
    /// - Throws: What `DecidingLater.decline` throws.
    @discardableResult
    package func decline(_ transaction: String) async throws -> Request {
        let request = try await DecidingLater(context).decline(transaction)
        announce(request, accountChanged: false)
        return request
    }

    /// Goes on with an interrupted purchase: the customer has done what the
    /// store asked for.
    ///
    /// - Throws: What `DecidingLater.resolve` throws.
    @discardableResult
    package func resolve(_ transaction: String) async throws -> Request {
        try requireDeliverable()
        let outcome = try await DecidingLater(context).resolve(transaction, now: now)
        announce(outcome)
        return outcome.request
    }

    /// Requests that wait for a decision, `deferred` or `interrupted`, in
    /// order of the numbers after one, at most two hundred.
    package func undecided(after transaction: String = "") async throws -> [Request] {
        try await DecidingLater(context).undecided(after: transaction)
    }

    /// Refunds a purchase, in the sandbox.
    ///
    /// - Returns: The first purchase of what is refunded.
    /// - Throws: What `RefundingPurchase` throws.
    @discardableResult
    package func refund(_ transaction: String) async throws -> Purchase {
        let outcome = try await RefundingPurchase(context)(transaction, now: now)
        if let failure = outcome.failure {
            logger.warning("a refund is due", metadata: ["transaction": "\(transaction)", "error": "\(failure)"])
        }
        hub.news(of: outcome.purchase.account)
        return outcome.purchase
    }

    /// Changes an account: its country, whether the store sells to it, Ask to
    /// Buy, and whether its purchases are interrupted.
    ///
    /// - Throws: What `ChangingAccount` throws.
    @discardableResult
    package func change(account email: String, _ change: ChangingAccount.Change) async throws -> Account {
        let account = try await ChangingAccount(context)(email: email, change)
        hub.news(of: account.identifier)
        return account
    }

    /// Says in which storefronts a product isn't sold.
    ///
    /// - Throws: What `LimitingProduct` throws.
    package func limit(
        product identifier: String, of bundleIdentifier: String, isNotSoldIn countries: Set<String>
    ) async throws {
        try await LimitingProduct(context)(identifier, of: bundleIdentifier, isNotSoldIn: countries)
    }
}
