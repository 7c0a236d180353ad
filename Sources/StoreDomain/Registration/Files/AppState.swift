// SPDX-License-Identifier: Apache-2.0

/// The state of an app with which a file is compared.
struct AppState: Hashable, Sendable {
    var products: [ProductRegistration]
    var groups: [SubscriptionGroup]
    var gracePeriodDays: Int
    /// The keys for promotional offers of the app's files.
    var keys: [InAppPurchaseKey]

    /// The catalogue whose products are those of a file.
    var cleared: AppCatalogue {
        AppCatalogue(
            products: products.map { registration in
                var product = registration.product
                product.isForSale = registration.isInFile
                return CataloguedProduct(
                    product: product, edit: ProductEdit(source: .seller, number: registration.version))
            },
            groups: groups, gracePeriodDays: gracePeriodDays)
    }
}

extension ProductRegistration {
    /// Whether a file has the product: the seller wants it to be sold, and it
    /// has a price. It may lack texts, which a file may lack too.
    var isInFile: Bool { isCleared && hasPrice }
}
