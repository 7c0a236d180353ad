// SPDX-License-Identifier: Apache-2.0

import Foundation
package import StoreDomain

/// The calls about items.
extension StoreService {
    /// Carries out one of the calls `items`, `addItem` and `campaigns`.
    func controlItems(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        if verb == .addItem {
            let call = try decode(Control.ItemCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.ItemAnswer(adding: call, to: context))
        }
        if verb == .campaigns {
            let call = try decode(Control.CampaignsCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.CampaignsAnswer(listing: call, of: context))
        }
        let call = try decode(Control.ItemsCall.self, from: body, of: verb.rawValue)
        return try encode(try await Control.ItemsAnswer(listing: call, of: context))
    }
}

extension Control.ItemsAnswer {
    /// Lists the items of a store, which may be running or not.
    ///
    /// - Throws: The errors of `ListingItems`.
    package init(listing call: Control.ItemsCall, of context: StoreContext) async throws {
        self.init(items: try await ListingItems(context)(after: call.after ?? 0).map(Control.ItemAnswer.init))
    }
}

extension Control.ItemAnswer {
    /// Adds an item to a store, which may be running or not.
    ///
    /// - Throws: The errors of `AddingItem`, and `invalid` for a value that
    ///   isn't one.
    package init(adding call: Control.ItemCall, to context: StoreContext) async throws {
        let item = try Item(call)
        let gallery = try ItemGallery(icon: call.icon, screenshots: call.screenshots ?? [])
        self.init(try await AddingItem(context)(item, keepsVersion: call.version == nil, gallery))
    }

    init(_ item: Item) {
        self.init(
            item: item.identifier, kind: item.kind.rawValue, bundle: item.app?.rawValue, seller: item.seller,
            version: item.version, link: item.link,
            title: item.product.localization(for: LanguagePreference([], in: .unitedStates)).title,
            price: Money(milliunits: item.product.milliunits, currency: "").decimal,
            firstDay: item.firstDay.isEmpty ? nil : item.firstDay)
    }
}

extension Item {
    /// The item that a call describes.
    ///
    /// - Throws: `DomainError` `invalid`.
    fileprivate init(_ call: Control.ItemCall) throws {
        guard let kind = Kind(rawValue: call.kind) else {
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw DomainError(
                .invalid, "There is no kind \"\(call.kind.prefix(64))\" of items. The kinds are \(kinds).")
        }
        try self.init(
            identifier: call.item, kind: kind, app: call.bundle.map { BundleIdentifier($0) }, seller: call.seller,
            version: call.version ?? "1.0", link: call.link, price: call.price, prices: call.prices ?? [:],
            notSoldIn: Set(call.notSoldIn ?? []), firstDay: call.firstDay,
            texts: call.texts.map { Product.Localization(locale: $0, title: $1.title, description: $1.description) })
    }
}
