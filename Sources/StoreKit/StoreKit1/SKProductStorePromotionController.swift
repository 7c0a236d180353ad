// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAPI
import StoreAgent

/// Reads and sets which promoted products the customer of this device sees in
/// the store, and in which order.
///
/// These settings override the seller's, on this device and for this app. The
/// device stores them. This store has no page that promotes products yet.
///
/// Handlers are called on the main queue.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
open class SKProductStorePromotionController: NSObject {
    // Safe because the object stores nothing.
    nonisolated(unsafe) private static let controller = SKProductStorePromotionController()

    /// The app's controller.
    ///
    /// A subclass must override this method to be returned by it.
    open class func `default`() -> Self {
        guard let controller = controller as? Self else {
            preconditionFailure("\(Self.self) has to override default()")
        }
        return controller
    }

    /// For subclasses; apps use ``default()``.
    public override init() {
        super.init()
    }

    /// Reads whether a product is shown.
    ///
    /// The handler receives ``SKProductStorePromotionVisibility/default`` for
    /// a product without a setting, and an ``SKError`` when the device's data
    /// can't be read.
    open func fetchStorePromotionVisibility(
        for product: SKProduct,
        completionHandler: ((SKProductStorePromotionVisibility, (any Error)?) -> Void)? = nil
    ) {
        let identifier = product.productIdentifier
        let result = Self.now { agent in
            try agent.promotions.visibility[identifier].flatMap(SKProductStorePromotionVisibility.init) ?? .default
        }
        Self.callBack {
            switch result {
            case .success(let visibility): completionHandler?(visibility, nil)
            case .failure(let error): completionHandler?(.default, error)
            }
        }
    }

    /// Sets whether a product is shown.
    ///
    /// The handler receives `nil` once the setting is saved, or an
    /// ``SKError``.
    open func update(
        storePromotionVisibility promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct,
        completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        let identifier = product.productIdentifier
        let result = Self.now { agent in
            try agent.updatePromotions { promotions in
                promotions.visibility[identifier] =
                    promotionVisibility == .default ? nil : promotionVisibility.rawValue
            }
        }
        Self.callBack { completionHandler?(result.failure) }
    }

    /// Reads the order that was set.
    ///
    /// The handler receives the products in their order, without those that
    /// the store doesn't sell any more; no products when no order was set; an
    /// ``SKError`` when the store can't be reached.
    open func fetchStorePromotionOrder(completionHandler: (([SKProduct], (any Error)?) -> Void)? = nil) {
        // Safe because the handler is only passed on, and called on the main
        // queue.
        nonisolated(unsafe) let completionHandler = completionHandler
        let order = Self.now { agent in try agent.promotions.order }
        _ = AgentHost.shared.ask { agent -> [ProductInfo] in
            let order = try order.get()
            guard !order.isEmpty else { return [] }
            let products = try await agent.products(order).products
            return order.compactMap { identifier in products.first { $0.productIdentifier == identifier } }
        } answered: { result in
            switch result {
            case .success(let products): completionHandler?(products.map { SKProduct($0) }, nil)
            case .failure(let error): completionHandler?([], SKError(describing: error))
            }
        }
    }

    /// Sets the order of products. All other products follow them, in the
    /// seller's order.
    ///
    /// The handler receives `nil` once the order is saved, or an ``SKError``.
    open func update(
        storePromotionOrder promotionOrder: [SKProduct], completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        let order = promotionOrder.map(\.productIdentifier)
        let result = Self.now { agent in
            try agent.updatePromotions { $0.order = order }
        }
        Self.callBack { completionHandler?(result.failure) }
    }

    // The same methods with `await`.

    /// Whether a product is shown.
    ///
    /// - Throws: ``SKError`` when the device's data can't be read.
    open func promotionVisibility(for product: SKProduct) async throws -> SKProductStorePromotionVisibility {
        try await withCheckedThrowingContinuation { continuation in
            fetchStorePromotionVisibility(for: product) { visibility, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(visibility))
            }
        }
    }

    /// Sets whether a product is shown.
    ///
    /// - Throws: ``SKError`` when the device's data can't be written.
    open func update(
        promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct
    ) async throws {
        try await withCheckedThrowingContinuation { continuation in
            update(storePromotionVisibility: promotionVisibility, for: product) { error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
    }

    /// Returns the products in the order that was set.
    ///
    /// - Throws: ``SKError`` when the store can't be reached.
    open func promotionOrder() async throws -> [SKProduct] {
        try await withCheckedThrowingContinuation { continuation in
            fetchStorePromotionOrder { products, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(products))
            }
        }
    }

    /// Sets the order of products.
    ///
    /// - Throws: ``SKError`` when the device's data can't be written.
    open func update(promotionOrder: [SKProduct]) async throws {
        try await withCheckedThrowingContinuation { continuation in
            update(storePromotionOrder: promotionOrder) { error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
    }

    /// Reads or writes the device's data synchronously, so that successive
    /// calls take effect in their order.
    private static func now<Answer>(_ body: (Agent) throws -> Answer) -> Result<Answer, SKError> {
        do {
            return .success(try body(AgentHost.shared.agent()))
        } catch {
            return .failure(SKError(describing: error))
        }
    }

    private static func callBack(_ handler: @escaping () -> Void) {
        // Safe because the handler is only passed on, and called on the main
        // queue.
        nonisolated(unsafe) let handler = handler
        AgentHost.shared.callbacks.add { handler() }
    }
}

/// Whether a promoted product is shown on this device.
@frozen
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
public enum SKProductStorePromotionVisibility: Int, Sendable {
    /// As the seller has registered it.
    case `default` = 0
    /// The product is shown.
    case show = 1
    /// The product is hidden.
    case hide = 2
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
