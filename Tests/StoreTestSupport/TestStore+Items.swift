// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreDomain
import StoreService

extension TestStore {
    /// The first bytes of a PNG.
    package static let image = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// Adds an item: a song for 0.99, or an app.
    package func addItem(
        _ identifier: Int64, app: BundleIdentifier? = nil, version: String = "1.0", price: String = "0.99",
        link: String = "https://seller.example/item", title: String = "Peel", images: Int = 0
    ) async throws {
        let item = try Item(
            identifier: identifier, kind: app == nil ? .song : .app, app: app, seller: "Fruit Records",
            version: version, link: link, price: price, prices: ["DEU": "1.09"], notSoldIn: ["JPN"],
            texts: [
                .init(locale: "en_US", title: title, description: "A song."),
                .init(locale: "de_DE", title: "Schale", description: "Ein Lied."),
            ])
        let gallery = try ItemGallery(
            icon: images > 0 ? Self.image : nil, screenshots: (0..<max(0, images - 1)).map { _ in Self.image })
        try await AddingItem(context)(item, gallery)
    }

    /// The token of the sheet of an item that is ordered on its page.
    package func orderItem(_ identifier: Int64, as account: Account) async throws -> String {
        guard case .sheet(let token) = try await service.order(item: identifier, for: account) else {
            throw DomainError(.invalid, "The order was refused.")
        }
        return token
    }

    /// Orders an item on its page, and confirms the sheet.
    @discardableResult
    package func buyItem(_ identifier: Int64, as account: Account) async throws -> DeviceRequest {
        try await service.buy(onSheet: try await orderItem(identifier, as: account), as: account, shown: nil)
    }
}
