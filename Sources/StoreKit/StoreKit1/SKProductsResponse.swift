// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAPI

/// The store's answer to a products request: the products, and the identifiers
/// without one.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKProductsResponse: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; its stored values are immutable or
    // locked.
    private let received: (products: [SKProduct], invalidProductIdentifiers: [String])
    private let keyed = KeyedValues()

    /// One product for each valid identifier.
    open var products: [SKProduct] { keyed("products", received.products) }
    /// Identifiers that this app doesn't sell: misspelled, another app's, or
    /// not for sale.
    open var invalidProductIdentifiers: [String] {
        keyed("invalidProductIdentifiers", received.invalidProductIdentifiers)
    }

    /// An empty response, for test doubles to derive from.
    public override init() {
        received = ([], [])
        super.init()
    }

    init(_ answer: ProductsCall.Answer) {
        received = (answer.products.map(SKProduct.init), answer.invalidProductIdentifiers)
        super.init()
    }

    /// Sets a property by its name, for tests that make a response without a store.
    ///
    /// An addition to Apple's API, where every Objective-C object has this
    /// method. A wrong name or value ends the process.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, for: key, of: self, keys: Self.keys)
    }

    /// Returns a property by its name; an enumeration as its raw value.
    ///
    /// An addition to Apple's API, where every Objective-C object has this
    /// method. A wrong name ends the process.
    open func value(forKey key: String) -> Any? {
        KeyedValues.value(for: key, of: self, keys: Self.keys)
    }

    private static var keys: [String: KeyedValues.Property<SKProductsResponse>] {
        [
            "products": .init(\.products), "invalidProductIdentifiers": .init(\.invalidProductIdentifiers),
        ]
    }
}
