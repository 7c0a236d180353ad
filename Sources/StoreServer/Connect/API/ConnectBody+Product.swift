// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

extension NewProduct {
    /// The product of a body.
    init(reading body: inout ConnectBody) {
        let text = body.text("kind") ?? ""
        self.init(
            kind: text, identifier: body.text("product") ?? "", values: ProductRegistration.Values(reading: &body))
        let kind = Product.Kind(rawValue: text)
        if values.isFamilyShareable, kind != .nonConsumable, kind != .autoRenewable { body.add("family", .unknown) }
        guard kind == .autoRenewable else { return }
        group = body.text("group") ?? ""
        newGroup = body.text("newGroup") ?? ""
        period = body.text("period") ?? ""
        values.level = body.number("level") ?? "1"
        values.contactBonus = body.text("contactBonus") ?? ""
    }
}

extension ProductRegistration.Values {
    /// The values of a new product.
    init(reading body: inout ConnectBody) {
        self.init()
        read(&body)
        isFamilyShareable = body.bool("family") ?? false
    }

    /// The values of a product, with those that a body replaces, as a JSON
    /// merge patch (RFC 7396).
    ///
    /// - Throws: `StoreFailure` `invalid` for a price, or a sharing, that isn't
    ///   changed in Connect.
    init(of found: ProductRegistration, changedBy body: inout ConnectBody) throws {
        self.init()
        referenceName = found.product.referenceName
        let present = found.hasPrice ? PriceTier.of(found.product).map { String($0.number) } ?? Self.keep : ""
        tier = present
        otherPrices = found.product.ownPrices
        exclusions = found.product.exclusions.sorted().joined(separator: " ")
        isCleared = found.isCleared
        level = found.product.plan.map { String($0.level) } ?? ""
        contactBonus = found.product.contactBonus?.iso8601 ?? ""
        reviewNote = found.reviewNote
        texts = found.product.localizations
        read(&body)
        if found.product.plan != nil {
            level = body.number("level") ?? level
            contactBonus = body.text("contactBonus") ?? contactBonus
        }
        if !found.canChangePrice, tier != present || otherPrices != found.product.ownPrices {
            throw StoreFailure(
                .invalid,
                "The price of a subscription is scheduled with `storectl product price`, because subscribers may have "
                    + "to agree.")
        }
        let shares = body.bool("family") ?? found.product.isFamilyShareable
        guard shares == found.product.isFamilyShareable || found.canTurnSharingOn else {
            throw StoreFailure(.invalid, "Family Sharing of this product can't be changed.")
        }
        isFamilyShareable = shares
    }

    /// Takes the values that new products and changes have.
    private mutating func read(_ body: inout ConnectBody) {
        if let text = body.text("reference") { referenceName = text }
        if let text = body.text("note") { reviewNote = text }
        if let value = body.bool("cleared") { isCleared = value }
        if let number = body.number("tier") {
            tier = number
            // A product without a price has none in a country either.
            if number.isEmpty { otherPrices = "" }
        }
        otherPrices = body.prices(replacing: otherPrices)
        if let countries = body.texts("exclusions") { exclusions = countries.joined(separator: " ") }
        texts = body.localizations(replacing: texts)
    }
}
