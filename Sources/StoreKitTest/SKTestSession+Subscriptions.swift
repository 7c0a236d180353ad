// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreAssembly
import StoreDomain
import StoreService

// The session's operations on subscriptions in its store.
extension SKTestSession {
    /// Ends the subscription to a product now.
    func expire(_ product: String) throws {
        let host = try host()
        try host.perform { _ in
            await host.renew()
            let original = try await host.subscription(to: product).subscription.original
            try await ExpiringSubscription(host.store.context)(original, account: host.account.identifier)
        }
    }

    /// Begins the next period of the subscription to a product now. One that
    /// is in billing retry is charged, also in a session that declines
    /// renewals.
    func renewNow(_ product: String) throws {
        let host = try host()
        try host.perform { _ in
            await host.renew()
            let listed = try await host.subscription(to: product)
            try await host.renewNow(listed, declining: host.declinesRenewals && !listed.state.isInRetry)
        }
    }

    /// Turns the renewal of a transaction's subscription on or off.
    func setRenewal(_ renews: Bool, of identifier: UInt) throws {
        let host = try host()
        try host.perform { _ in
            await host.renew()
            let purchase = try await host.subscriptionPurchase("\(identifier)")
            try await SettingRenewal(host.store.context)(
                renews, of: purchase.originalTransactionIdentifier, account: purchase.account)
        }
    }

    /// Charges a subscription that is in billing retry because of a
    /// transaction's renewal.
    ///
    /// - Returns: `false` when the transaction is of no such subscription.
    func resolveRenewal(of identifier: UInt) throws -> Bool {
        let host = try host()
        return try host.perform { _ in
            let original = try? await host.subscriptionPurchase("\(identifier)").originalTransactionIdentifier
            guard let original,
                let listed = try await host.subscriptions().first(where: { $0.subscription.original == original }),
                listed.state.isInRetry
            else { return false }
            try await host.renewNow(listed, declining: false)
            return true
        }
    }
}

extension SessionHost {
    /// Carries out the renewals that are due.
    func renew() async {
        await SessionRenewals.run(declining: declinesRenewals) { await service.renewSubscriptions() }
    }

    /// The subscriptions of the session's customer.
    func subscriptions() async throws -> [ListingSubscriptions.Listed] {
        try await ListingSubscriptions(store.context)(
            of: account.identifier, bundleIdentifier: BundleIdentifier(bundleIdentifier))
    }

    /// The customer's subscription to a product.
    ///
    /// - Throws: ``SKTestError``: `noSubscriptionFound` when none goes on,
    ///   `invalidProductIdentifier`, `invalidProductType`.
    fileprivate func subscription(to identifier: String) async throws -> ListingSubscriptions.Listed {
        let product = ProductIdentifier(identifier)
        if let listed = try await subscriptions().first(where: { $0.state.period.product == product }),
            [.active, .billingGracePeriod, .billingRetry].contains(listed.state.status(at: listed.now))
        {
            return listed
        }
        let known = try await ListingProducts(store.context)(
            [product], of: BundleIdentifier(bundleIdentifier),
            for: DeviceIdentifier(agent.credentials.identifier)
        ).products.first
        guard let known else {
            throw SKTestError(
                .invalidProductIdentifier, message: "The configuration has no product \"\(identifier)\".")
        }
        guard known.kind == .autoRenewable else {
            throw SKTestError(
                .invalidProductType, message: "\"\(identifier)\" isn't an auto-renewable subscription.")
        }
        throw SKTestError(.noSubscriptionFound, message: "The customer has no subscription to \"\(identifier)\".")
    }

    /// The purchase of a subscription's period.
    ///
    /// - Throws: ``SKTestError``: `noTransactionFound`, `invalidProductType`.
    func subscriptionPurchase(_ identifier: String) async throws -> Purchase {
        let found = try await SKTestSession.purchases(
            of: account.identifier, bundleIdentifier: BundleIdentifier(bundleIdentifier), store.context
        ).first { $0.transactionIdentifier.rawValue == identifier }
        guard let found else {
            throw SKTestError(.noTransactionFound, message: "There is no transaction with the number \(identifier).")
        }
        guard found.kind == .autoRenewable else {
            throw SKTestError(
                .invalidProductType, message: "Transaction \(identifier) isn't of an auto-renewable subscription.")
        }
        return found
    }

    fileprivate func renewNow(_ listed: ListingSubscriptions.Listed, declining: Bool) async throws {
        try await SessionRenewals.run(declining: declining) {
            try await service.renewNow(listed.subscription.original, of: account.identifier)
        }
    }
}
