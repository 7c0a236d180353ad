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
        let made = try await service.registeringProduct()(new, in: BundleIdentifier(app), by: user)
        if context.environment == .production { try await addScreenshot(of: identifier, in: app, by: user) }
        return made
    }

    /// Adds the screenshot without which a product can't be submitted.
    package func addScreenshot(of product: String, in app: String = bundleIdentifier, by user: TeamUser) async throws {
        try await service.registeringImage()(
            TestImage.png(width: 640, height: 920), for: .review, of: ProductIdentifier(product),
            in: BundleIdentifier(app), by: user)
    }

    /// Adds an icon of the app, and a screenshot and an image of a product,
    /// all of one digest.
    ///
    /// - Returns: The digest.
    package func addImages(
        of product: String, in app: String = bundleIdentifier, by user: TeamUser
    ) async throws -> String {
        let (images, bundle) = (try service.registeringImage(), BundleIdentifier(app))
        let image = TestImage.png(width: 1024, height: 1024)
        for purpose in [RegistrationImage.Purpose.promotion, .review] {
            try await images(image, for: purpose, of: ProductIdentifier(product), in: bundle, by: user)
        }
        try await images(image, for: .icon, of: nil, in: bundle, by: user)
        return try await images.all(of: nil, in: bundle, as: user)[.icon]?.digest ?? ""
    }

    /// Makes a batch of promo codes for a product.
    ///
    /// - Returns: The identifier of the batch.
    package func makeCodes(
        for product: String = "banana", count: Int = 1, in app: String = bundleIdentifier, by user: TeamUser
    ) async throws -> String {
        var values = CodeValues()
        (values.product, values.name, values.count) = (product, "Promo", String(count))
        return try await service.makingAppCodes()(values, isWord: false, of: BundleIdentifier(app), by: user)
    }

    /// A product as its team sees it.
    package func registration(
        _ identifier: String, in app: String = bundleIdentifier, as user: TeamUser
    ) async throws -> ProductRegistration {
        try await service.appReader.product(ProductIdentifier(identifier), of: BundleIdentifier(app), as: user)
    }
}
