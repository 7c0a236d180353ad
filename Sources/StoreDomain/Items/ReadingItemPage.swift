// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// An item with all that its public page shows. Nothing in it depends on the
/// visitor, besides the promotions of a device.
package struct ItemPage: Sendable {
    package var item: Item
    /// The digest of the icon: an app's is the one that its team has
    /// registered, if there is one; `nil` for an item without one.
    package var icon: String?
    /// The digests of the screenshots.
    package var screenshots: [String]
    /// The products that the seller of an app promotes, in the seller's order or
    /// that of a device.
    package var promoted: [Product]
    /// The app's products that were sold most often, the first before.
    package var top: [Product]
    /// The digests of the promoted products' images.
    package var images: [ProductIdentifier: String] = [:]
    /// Why it isn't sold in any country at this moment; `nil` when it is.
    package var hold: Item.Hold?
}

/// Reads an item for its page.
package struct ReadingItemPage: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of products in the list of those that were sold most
    /// often.
    package static let topProducts = 10

    /// The item of an identifier, without products that aren't sold in a
    /// storefront. `promotions` are those of the device that opens the page;
    /// the public page has none.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func callAsFunction(
        _ identifier: Int64, in storefront: Storefront, _ promotions: DevicePromotions = DevicePromotions()
    ) async throws -> ItemPage {
        try await read { db in
            guard let item = try Item.find(identifier, db) else { throw Item.unknown(identifier) }
            let digests = try ItemArtwork.digests(of: identifier, db)
            var page = ItemPage(
                item: item, icon: digests.first { $0.place == 0 }?.digest,
                screenshots: digests.filter { $0.place > 0 }.map(\.digest), promoted: [], top: [])
            page.hold = item.hold(at: db.now)
            guard let app = item.app else { return page }
            page.icon = try RegistrationImage.all(of: nil, in: app, db)[.icon]?.digest ?? page.icon
            let promoted = promotions.applied(to: try PromotedProduct.list(of: app, db))
            let top = try ProductSales.top(of: app, in: storefront, limit: Self.topProducts, db).map(\.product)
            let products = try Catalogue.products(Array(Set(promoted + top)), of: app, db)
                .filter { $0.value.isSold(in: storefront) }
            page.promoted = promoted.compactMap { products[$0] }
            page.top = top.compactMap { products[$0] }
            page.images = try RegistrationImage.all(
                .promotion, of: page.promoted.map(\.productIdentifier), in: app, db
            ).mapValues(\.digest)
            return page
        }
    }

    /// The item of an identifier.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func item(_ identifier: Int64) async throws -> Item {
        let item = try await read { db in try Item.find(identifier, db) }
        guard let item else { throw Item.unknown(identifier) }
        return item
    }

    /// An image of an item.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func artwork(_ digest: String, of identifier: Int64) async throws -> ItemArtwork {
        let artwork = try await read { db -> ItemArtwork? in
            if let artwork = try ItemArtwork.find(digest, of: identifier, db) { return artwork }
            guard let app = try Item.app(of: identifier, db),
                let image = try RegistrationImage.publicBytes(of: digest, in: app, db)
            else { return nil }
            return ItemArtwork(digest: digest, type: image.type, bytes: image.bytes)
        }
        guard let artwork else { throw DomainError(.notFound, "The item \(identifier) has no such image.") }
        return artwork
    }

    /// Whether an account owns an item.
    package func owns(_ item: Item, _ account: Account) async throws -> Bool {
        try await read { db in
            let ownership = try Ownership(of: item.product, by: account, nil, nil, db)
            if case .owned = ownership { return true }
            return false
        }
    }
}
