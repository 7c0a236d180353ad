// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAPI

/// The store of one country.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKStorefront: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; its stored values are immutable or
    // locked.
    private let info: StorefrontInfo
    private let keyed = KeyedValues()

    /// The country, ISO 3166-1 alpha-3.
    open var countryCode: String { keyed("countryCode", info.countryCode) }
    /// Apple's number of the storefront, as text (`143441` is the USA's).
    open var identifier: String { keyed("identifier", info.identifier) }

    /// An empty storefront, for test doubles to derive from.
    public override init() {
        info = StorefrontInfo(countryCode: "", identifier: "")
        super.init()
    }

    init(_ info: StorefrontInfo) {
        self.info = info
        super.init()
    }

    /// Sets a property by its name, for tests that make a storefront without a store.
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

    private static var keys: [String: KeyedValues.Property<SKStorefront>] {
        [
            "countryCode": .init(\.countryCode), "identifier": .init(\.identifier),
        ]
    }
}
