// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAPI
import StoreAgent

/// The store of one country.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Storefront: Identifiable, Sendable {
    /// The type of the identifier.
    public typealias ID = String

    /// The country, ISO 3166-1 alpha-3.
    public let countryCode: String
    /// Apple's number of the storefront (`143441` is the USA's).
    public let id: String

    private let currencyCode: String?

    init(countryCode: String, id: String, currencyCode: String?) {
        self.countryCode = countryCode
        self.id = id
        self.currencyCode = currencyCode
    }

    init(_ info: StorefrontInfo) {
        self.init(countryCode: info.countryCode, id: info.identifier, currencyCode: info.currency)
    }

    /// The currency of the storefront's prices; `nil` from a store that doesn't
    /// send one.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public var currency: Locale.Currency? { currencyCode.map { Locale.Currency($0) } }

    /// The storefront of the customer who was signed in last; `nil` until the
    /// store has sent one.
    public static var current: Storefront? {
        get async {
            try? await AgentHost.shared.perform { try await $0.currentStorefront().map(Storefront.init) }
        }
    }
}
