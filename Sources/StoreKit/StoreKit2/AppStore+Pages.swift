// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreAgent

// The pages and sheets that apps on Apple's platforms show in a scene or a view
// controller. Here they are shown as `STOREKIT_SHEET` says.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension AppStore {
    /// Shows the page on which the customer manages subscriptions. Returns when
    /// the program that shows it has ended; a browser ends when the page is open.
    ///
    /// An addition to Apple's API, where the function takes a scene.
    ///
    /// - Throws: ``StoreKitError``: `networkError`, `unsupported` by an older
    ///   store, `systemError` when the page can't be shown; `CancellationError`.
    public static func showManageSubscriptions() async throws {
        try await AgentHost.shared.perform(.manageSubscriptions) { agent in
            guard try await agent.show(.subscriptions) else { throw StoreKitError.unsupported }
        }
    }

    /// Shows the sheet on which the customer redeems a code. Returns when the
    /// request is durable; the purchase is one of ``Transaction/updates``.
    ///
    /// An addition to Apple's API, where the function takes a scene or a view
    /// controller.
    ///
    /// - Throws: ``StoreKitError``.
    public static func presentOfferCodeRedeemSheet() async throws {
        try await AgentHost.shared.perform(.offerCodeRedeem) { try await $0.beginCodeRedemption() }
    }
}

@available(iOS 16.0, visionOS 1.0, *)
@available(macOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
extension Message {
    /// Shows the sheet or page of the message: the sheet for a higher price, the
    /// page of the payment method, or the payment sheet of the win-back offer.
    /// The purchase is one of ``Transaction/updates``.
    ///
    /// An addition to Apple's API, where the function takes a scene.
    ///
    /// - Throws: ``StoreKitError``, `CancellationError`.
    public func display() async throws {
        let message = self
        try await AgentHost.shared.perform(nil) { agent in
            switch message.reason {
            case .priceIncreaseConsent: try await agent.beginPriceConsent()
            case .billingIssue:
                guard try await agent.show(.payment) else { throw StoreKitError.unsupported }
            default:
                guard let offer = message.offer else { throw StoreKitError.unsupported }
                let payment = AgentPayment(
                    productIdentifier: offer.product, winBackOffer: offer.offer, isAwaited: true)
                let request = agent.makeRequest()
                try await agent.begin(payment, as: request)
                // Its transaction is an update.
                agent.abandon(request)
            }
        }
    }
}
