// SPDX-License-Identifier: Apache-2.0

package import StoreDomain
import StoreService

extension TestStore {
    /// The values of a complete product, which costs tier 1.
    package static func productValues(
        _ name: String = "Banana", tier: String = "1", title: String = "Banana", description: String = "A banana"
    ) -> ProductRegistration.Values {
        var values = ProductRegistration.Values()
        values.referenceName = name
        values.tier = tier
        values.level = "1"
        values.texts = [Product.Localization(locale: "en_US", title: title, description: description)]
        return values
    }

    /// Registers a complete product of an app.
    @discardableResult
    package func registerProduct(
        _ identifier: String = "banana", kind: Product.Kind = .consumable, in app: String = bundleIdentifier,
        values: ProductRegistration.Values = productValues(), by user: TeamUser
    ) async throws -> ProductRegistration {
        var new = NewProduct(kind: kind.rawValue, identifier: identifier, values: values)
        if kind == .autoRenewable {
            new.newGroup = "Group of \(identifier)"
            new.period = "P1M"
        }
        return try await service.registeringProduct()(new, in: BundleIdentifier(app), by: user)
    }

    /// A product as its team sees it.
    package func registration(
        _ identifier: String, in app: String = bundleIdentifier, as user: TeamUser
    ) async throws -> ProductRegistration {
        try await service.appReader.product(ProductIdentifier(identifier), of: BundleIdentifier(app), as: user)
    }
}
