// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Products of the store that the exported file lacks.
struct CatalogueExportListTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    private static func product(_ identifier: String, in group: String? = nil) -> CataloguedProduct {
        var product = Product(
            bundleIdentifier: app, productIdentifier: ProductIdentifier(identifier),
            kind: group == nil ? .consumable : .autoRenewable, referenceName: "P", milliunits: 990, localizations: [])
        product.plan = group.map {
            Product.Plan(group: SubscriptionGroupIdentifier($0), level: 1, period: SubscriptionPeriod(1, .month))
        }
        return CataloguedProduct(product: product, edit: ProductEdit(source: .seller, number: 1))
    }

    @Test("Thousands of new products are added to their lists and groups, each list in order")
    func many() throws {
        let known = """
            {"products": [], "subscriptionGroups": [{"id": "g0500", "name": "Known", "localizations": [], "subscriptions": []}]}
            """
        let source = CatalogueSource(
            bundleIdentifier: Self.app, name: "a.storekit", contents: Data(known.utf8), checksum: "",
            importedAt: WallTime(milliseconds: 0))
        func digits(_ number: Int) -> String { String(String(number + 10_000).dropFirst()) }
        let names = (0..<1000).map { "g\(digits($0))" }
        let products =
            (0..<2000).map { Self.product("p\(digits($0))") }
            + names.flatMap { [Self.product("\($0).b", in: $0), Self.product("\($0).a", in: $0)] }
        let groups = names.map { name in
            SubscriptionGroup(
                bundleIdentifier: Self.app, identifier: SubscriptionGroupIdentifier(name),
                referenceName: "Name of \(name)")
        }
        var export = try CatalogueExport(
            of: AppCatalogue(products: products.shuffled(), groups: groups, gracePeriodDays: 0),
            bundleIdentifier: Self.app, from: source)
        let file = try StoreKitConfigurationFile(export.contents(), file: "b.storekit", bundleIdentifier: Self.app)

        #expect(file.products.prefix(2000).map(\.productIdentifier.rawValue) == (0..<2000).map { "p\(digits($0))" })
        // The file's own group is the first one, and keeps its name.
        let order = ["g0500"] + names.filter { $0 != "g0500" }
        #expect(file.groups.map(\.identifier.rawValue) == order)
        #expect(file.groups.map(\.referenceName).prefix(2) == ["Known", "Name of g0000"])
        #expect(
            file.products.dropFirst(2000).map(\.productIdentifier.rawValue) == order.flatMap { ["\($0).a", "\($0).b"] })
    }
}
