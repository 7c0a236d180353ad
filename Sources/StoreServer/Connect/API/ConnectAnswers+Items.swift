// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension ConnectAnswers {
    struct ListedItem: Encodable {
        var item: Int64
        var kind: String
        var title: String
        var price: String
    }

    struct Items: Encodable {
        var items: [ListedItem]
        var next: String?
    }

    struct Item: Encodable {
        /// The number in the address of its page.
        var item: Int64
        var kind: String
        var version: String
        var link: String
        /// The price where no other one is set.
        var price: String
        /// The prices that aren't this one, by country.
        var prices: [String: String]
        /// The countries in which it isn't sold.
        var exclusions: [String]
        /// The first day of the sale (UTC).
        var firstDay: String?
        var texts: [String: Text]
        /// The digest of its icon.
        var icon: String?
        var screenshots: [Screenshot]
        /// The number of its changes, without those of its images.
        var edits: Int64
    }
}

extension ConnectAnswers.ListedItem {
    init(_ item: StoreDomain.ListedItem) {
        self.init(
            item: item.identifier, kind: item.kind.rawValue, title: item.name, price: item.milliunits.decimal)
    }
}

extension ConnectAnswers.Item {
    init(_ found: RegisteringItem.Registered) {
        let (item, product) = (found.item, found.item.product)
        let texts = product.localizations.map { text in
            (text.locale, ConnectAnswers.Text(title: text.title, description: text.description))
        }
        self.init(
            item: item.identifier, kind: item.kind.rawValue, version: item.version, link: item.link,
            price: product.milliunits.decimal, prices: product.ownPrices.pricesByCountry,
            exclusions: product.exclusions.sorted(),
            firstDay: item.firstDay.isEmpty ? nil : item.firstDay, texts: Dictionary(texts) { first, _ in first },
            icon: found.images.first { $0.place == 0 }?.digest,
            screenshots: found.images.filter { $0.place > 0 }.map { image in
                ConnectAnswers.Screenshot(place: image.place, digest: image.digest)
            }, edits: item.edits)
    }
}
