// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The values of the template for the public page of an item.
struct ItemModel: PageModel {
    /// A screenshot with its description for screen readers.
    struct Screenshot {
        var address: String
        var text: String
    }

    /// A product that the app sells.
    struct Offered {
        var title: String
        var detail: String
        var price: String
        /// The address of its image; `nil` for a product without one.
        var image: String?
        /// The address that opens the app with this product.
        var intent: String
        /// The text of the link, and its name for screen readers.
        var buy: String
        var name: String
    }

    let page: PageFrame
    let words: ItemWords
    let title: String
    let environment: String
    let kind: String
    let seller: String
    /// `nil` for an app without a released version.
    let version: String?
    let icon: String?
    let iconText: String
    let screenshots: [Screenshot]
    let hasScreenshots: Bool
    let paragraphs: [String]
    /// The text of the button; `nil` where the item isn't sold.
    let button: String?
    /// The text in the place of the button.
    let notSold: String
    let order: String
    /// The address of the form for a promo code; `nil` for an item that is no
    /// app, and where the app isn't sold.
    let redemption: String?
    let promoted: [Offered]
    let hasPromoted: Bool
    let top: [Offered]
    let hasTop: Bool

    init(_ found: ItemPage, at address: ItemAddress, environment: StoreEnvironment) {
        let (language, item) = (address.language, found.item)
        let words = ItemWords.words(language)
        let preference = LanguagePreference([language.rawValue], in: address.storefront)
        let text = item.product.localization(for: preference)
        page = PageFrame(language)
        self.words = words
        title = text.title
        self.environment = environment.rawValue
        kind = words[item.kind]
        seller = item.seller
        version = item.version.isEmpty ? nil : item.version
        icon = found.icon.map { ItemAddress.artwork($0, of: item.identifier) }
        iconText = words.fill(\.iconText, ["title": text.title.isolated])
        screenshots = found.screenshots.enumerated().map { place, digest in
            Screenshot(
                address: ItemAddress.artwork(digest, of: item.identifier),
                text: words.fill(\.screenshotText, ["number": language.number(place + 1)]))
        }
        hasScreenshots = !found.screenshots.isEmpty
        paragraphs = text.description.split(separator: "\n").map(String.init)
        button =
            found.hold == nil && item.product.isSold(in: address.storefront)
            ? words.button(item.product.price(in: address.storefront), language) : nil
        notSold =
            switch found.hold {
            case nil: words.notSold
            case .unreleased: words.notYet
            case .until(let day): words.fill(\.soldFrom, ["day": language.date(day)])
            }
        order = ItemAddress.order(of: item.identifier)
        redemption = button == nil || item.app == nil ? nil : ItemAddress.redemption(of: item.identifier)
        let offered = { (product: Product) in Offered(product, at: address, preference, words) }
        promoted = found.promoted.map { product in
            var promoted = offered(product)
            promoted.image = found.images[product.productIdentifier].map {
                ItemAddress.artwork($0, of: item.identifier)
            }
            return promoted
        }
        hasPromoted = !found.promoted.isEmpty
        top = found.top.map(offered)
        hasTop = !found.top.isEmpty
    }
}

extension ItemModel.Offered {
    fileprivate init(
        _ product: Product, at address: ItemAddress, _ preference: LanguagePreference, _ words: ItemWords
    ) {
        let text = product.localization(for: preference)
        let price = product.price(in: address.storefront)
        var intent = URLComponents()
        intent.scheme = "itms-services"
        intent.host = ""
        intent.queryItems = [
            URLQueryItem(name: "action", value: "purchaseIntent"),
            URLQueryItem(name: "bundleId", value: product.bundleIdentifier.rawValue),
            URLQueryItem(name: "productIdentifier", value: product.productIdentifier.rawValue),
        ]
        self.init(
            title: text.title, detail: text.description,
            price: price.milliunits == 0 ? words.free : address.language.price(price), intent: intent.string ?? "",
            buy: words.buyInApp, name: words.fill(\.openInApp, ["title": text.title.isolated]))
    }
}
