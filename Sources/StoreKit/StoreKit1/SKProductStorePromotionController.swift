// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import StoreAPI
internal import StoreAgent

/// Which promoted products the customer of this device sees in the store, and
/// in which order.
///
/// What is set here overrides what the seller has registered, on this device
/// and for this app. It is kept by the device; this store has no page that
/// promotes products so far.
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
    /// A subclass that wants to be asked for by this method overrides it.
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
    /// The handler gets ``SKProductStorePromotionVisibility/default``
    /// for a product that nothing was set for, and an ``SKError`` when the
    /// device's memory can't be read.
    open func fetchStorePromotionVisibility(
        for product: SKProduct,
        completionHandler: ((SKProductStorePromotionVisibility, (any Error)?) -> Void)? = nil
    ) {
        let identifier = product.productIdentifier
        let result = Self.now { agent in
            try agent.promotions.visibility[identifier].flatMap(SKProductStorePromotionVisibility.init) ?? .default
        }
        Self.tell {
            switch result {
            case .success(let visibility): completionHandler?(visibility, nil)
            case .failure(let error): completionHandler?(.default, error)
            }
        }
    }

    /// Sets whether a product is shown.
    ///
    /// The handler gets `nil` once it is written down, or
    /// an ``SKError``.
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
        Self.tell { completionHandler?(result.failure) }
    }

    /// Reads the order that was set.
    ///
    /// The handler gets the products in their order, empty
    /// when none was set, without those that the store doesn't sell any
    /// more; an ``SKError`` when the store can't be asked about them.
    open func fetchStorePromotionOrder(completionHandler: (([SKProduct], (any Error)?) -> Void)? = nil) {
        // Safe because the handler goes through here untouched and is called
        // on the main queue only.
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

    /// Sets the order of products; those that aren't named come after them,
    /// in the seller's order.
    ///
    /// The handler gets `nil` once it is written down, or
    /// an ``SKError``.
    open func update(
        storePromotionOrder promotionOrder: [SKProduct], completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        let order = promotionOrder.map(\.productIdentifier)
        let result = Self.now { agent in
            try agent.updatePromotions { $0.order = order }
        }
        Self.tell { completionHandler?(result.failure) }
    }

    // The same with `await`.

    /// Whether a product is shown.
    ///
    /// - Throws: ``SKError`` when the device's memory can't be read.
    open func promotionVisibility(for product: SKProduct) async throws -> SKProductStorePromotionVisibility {
        try await withCheckedThrowingContinuation { continuation in
            fetchStorePromotionVisibility(for: product) { visibility, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(visibility))
            }
        }
    }

    /// Sets whether a product is shown.
    ///
    /// - Throws: ``SKError`` when the device's memory can't be written.
    open func update(
        promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct
    ) async throws {
        try await withCheckedThrowingContinuation { continuation in
            update(storePromotionVisibility: promotionVisibility, for: product) { error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
    }

    /// The products whose order was set.
    ///
    /// - Throws: ``SKError`` when the store can't be asked about them.
    open func promotionOrder() async throws -> [SKProduct] {
        try await withCheckedThrowingContinuation { continuation in
            fetchStorePromotionOrder { products, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(products))
            }
        }
    }

    /// Sets the order of products.
    ///
    /// - Throws: ``SKError`` when the device's memory can't be written.
    open func update(promotionOrder: [SKProduct]) async throws {
        try await withCheckedThrowingContinuation { continuation in
            update(storePromotionOrder: promotionOrder) { error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
    }

    /// What the device remembers is read and written at once, so that calls
    /// that follow one another are done in their order.
    private static func now<Answer>(_ body: (Agent) throws -> Answer) -> Result<Answer, SKError> {
        do {
            return .success(try body(AgentHost.shared.agent()))
        } catch {
            return .failure(SKError(describing: error))
        }
    }

    private static func tell(_ handler: @escaping () -> Void) {
        // Safe because the handler goes through here untouched and is called
        // on the main queue only.
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
    /// It is shown.
    case show = 1
    /// It is hidden.
    case hide = 2
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
