// SPDX-License-Identifier: Apache-2.0

import StoreAgent

/// A purchase that the customer has begun outside of the app, such as on the
/// store's page of the app.
///
/// ```swift
/// for await intent in PurchaseIntent.intents {
///     let result = try await intent.product.purchase()
/// }
/// ```
///
/// An app that listens for intents receives all of them here, and its observers
/// of StoreKit 1 none. Intents from before the first listener wait for it.
@available(iOS 16.4, macOS 14.4, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@available(visionOS, unavailable)
public struct PurchaseIntent: Equatable, Identifiable, Sendable {
    /// The product that the customer wants to buy.
    public let product: Product
    /// The win-back offer with which the customer wants to buy it; `nil` without
    /// one.
    @available(iOS 18.0, macOS 15.0, *)
    public let offer: Product.SubscriptionOffer?
    /// The identifier of the product.
    public var id: Product.ID { product.id }

    init(product: Product, offer: Product.SubscriptionOffer?) {
        self.product = product
        self.offer = offer
    }

    /// The purchases that the customer begins outside of the app, for as long as
    /// the app runs.
    public static var intents: PurchaseIntent.PurchaseIntents { PurchaseIntents() }

    /// The purchases that the customer begins outside of the app.
    public struct PurchaseIntents: AsyncSequence, Sendable {
        /// The type of the elements.
        public typealias Element = PurchaseIntent

        /// Waits for purchases.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let listener = IntentHub.Listener()

            /// The next purchase; `nil` when the task is cancelled.
            public mutating func next() async -> PurchaseIntent? { await listener.next() }
        }

        /// Begins to wait for purchases.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }
}
