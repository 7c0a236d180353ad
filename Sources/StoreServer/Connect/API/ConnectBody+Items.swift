// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension Item.Values {
    /// The values of a new item.
    init(reading body: inout ConnectBody) {
        self.init()
        read(&body)
    }

    /// The values of an item, with those that a body replaces, as a JSON merge
    /// patch (RFC 7396).
    init(of item: Item, changedBy body: inout ConnectBody) {
        self.init()
        (kind, version, link) = (item.kind.rawValue, item.version, item.link)
        price = item.product.milliunits.decimal
        otherPrices = item.product.ownPrices
        exclusions = item.product.exclusions.sorted().joined(separator: " ")
        firstDay = item.firstDay
        texts = item.product.localizations
        read(&body)
    }

    private mutating func read(_ body: inout ConnectBody) {
        if let text = body.text("kind") { kind = text }
        if let text = body.text("version") { version = text }
        if let text = body.text("link") { link = text }
        if let text = body.text("price") { price = text }
        if let day = body.text("firstDay") { firstDay = day }
        if let countries = body.texts("exclusions") { exclusions = countries.joined(separator: " ") }
        otherPrices = body.prices(replacing: otherPrices)
        texts = body.localizations(replacing: texts)
    }
}
