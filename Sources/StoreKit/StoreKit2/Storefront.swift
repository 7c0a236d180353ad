// SPDX-License-Identifier: Apache-2.0

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

    init(countryCode: String, id: String) {
        self.countryCode = countryCode
        self.id = id
    }

    init(_ info: StorefrontInfo) {
        self.init(countryCode: info.countryCode, id: info.identifier)
    }

    /// The storefront of the customer who was signed in last; `nil` until the
    /// store has sent one.
    public static var current: Storefront? {
        get async {
            try? await AgentHost.shared.perform { try await $0.currentStorefront().map(Storefront.init) }
        }
    }
}
