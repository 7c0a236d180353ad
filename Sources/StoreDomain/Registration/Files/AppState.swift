// SPDX-License-Identifier: Apache-2.0

/// The state of an app with which a file is compared.
struct AppState: Hashable, Sendable {
    var products: [ProductRegistration]
    var groups: [SubscriptionGroup]
    var gracePeriodDays: Int
    /// The keys for promotional offers of the app's files.
    var keys: [InAppPurchaseKey]
    var version = Version()

    /// Numbers of which each change of the state changes one: products and groups are never deleted, and each edit of one is
    /// counted.
    struct Version: Hashable, Sendable {
        var products = 0
        var productEdits: Int64 = 0
        var groups = 0
        var groupEdits: Int64 = 0
        var gracePeriodDays = 0
        var keys: [InAppPurchaseKey] = []
    }

    /// The languages of the texts.
    var languages: Set<String> {
        Set(products.flatMap(\.product.localizations).map(\.locale) + groups.flatMap(\.localizations).map(\.locale))
    }

    /// The bytes of the products and groups.
    var bytes: Int { products.reduce(0) { $0 + $1.product.bytes } + groups.reduce(0) { $0 + $1.bytes } }

    /// Whether the app may have these products and groups in the place of those with their identifiers.
    func hasRoom(for changed: [Product], groups new: [SubscriptionGroup] = []) -> Bool {
        let known = Dictionary(products.map { ($0.product.productIdentifier, $0.product.bytes) }) { first, _ in first }
        let knownGroups = Dictionary(groups.map { ($0.identifier, $0.bytes) }) { first, _ in first }
        let growth =
            changed.reduce(0) { $0 + $1.bytes - (known[$1.productIdentifier] ?? 0) }
            + new.reduce(0) { $0 + $1.bytes - (knownGroups[$1.identifier] ?? 0) }
        return AppCatalogue.allows(bytes, growingBy: growth)
    }

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
