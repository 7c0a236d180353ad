// SPDX-License-Identifier: Apache-2.0

/// How often a product was sold: the number of its charges in the ledger, those
/// of renewals and those of nothing too. A refund changes it not.
package struct ProductSales: Hashable, Sendable {
    package var app: BundleIdentifier
    package var product: ProductIdentifier
    package var sales: Int64

    /// The sum of changes for each product, in one order for all writers.
    static func sums(of changes: [UncountedSale]) -> [ProductSales] {
        Dictionary(grouping: changes) { [$0.app.rawValue, $0.product.rawValue] }.values
            .compactMap { group in
                group.first.map {
                    ProductSales(app: $0.app, product: $0.product, sales: group.map(\.change).reduce(0, +))
                }
            }
            .sorted { ($0.app, $0.product) < ($1.app, $1.product) }
    }
}
