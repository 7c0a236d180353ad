// SPDX-License-Identifier: Apache-2.0

/// The last edit of a product.
package struct ProductEdit: Hashable, Sendable {
    /// The origin of an edit.
    package struct Source: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The app's configuration file.
        package static let file = Source(rawValue: "file")
        /// The operator of the store, by a command.
        package static let `operator` = Source(rawValue: "operator")
        /// The seller of the app.
        package static let seller = Source(rawValue: "seller")
    }

    package var source: Source
    /// The number of edits that the product has had, from 1.
    package var number: Int64

    package init(source: Source, number: Int64) {
        self.source = source
        self.number = number
    }
}

/// A product of the catalogue with its last edit.
struct CataloguedProduct: Hashable, Sendable {
    var product: Product
    var edit: ProductEdit
}

/// The catalogue of an app, in one committed state.
struct AppCatalogue: Hashable, Sendable {
    var products: [CataloguedProduct]
    var groups: [SubscriptionGroup]
    var gracePeriodDays: Int
}
