// SPDX-License-Identifier: Apache-2.0

extension ProductRegistration {
    /// The values of a product's form.
    package struct Values: Sendable {
        package var referenceName = ""
        /// The number of a tier; empty for none, and ``keep`` for the present
        /// price.
        package var tier = ""
        /// Prices of single storefronts, one a line: `DEU 1.19`.
        package var otherPrices = ""
        /// The country codes of storefronts in which it isn't sold.
        package var exclusions = ""
        package var isCleared = true
        package var isFamilyShareable = false
        /// The service level of a subscription.
        package var level = ""
        /// The bonus of a subscription for a shared contact, in ISO 8601; empty for none.
        package var contactBonus = ""
        package var reviewNote = ""
        /// The texts by locale. A language whose texts are both empty is
        /// removed.
        package var texts: [Product.Localization] = []

        /// The value of ``tier`` for a price that isn't one of the table.
        package static let keep = "keep"

        package init() {}
    }

    /// Whether Connect changes the price. Prices of a subscription that may
    /// have subscribers are scheduled elsewhere, because some of them have to
    /// agree.
    package var canChangePrice: Bool { product.kind != .autoRenewable || !hasPrice }

    /// Whether the product can be shared with families. Sharing isn't turned
    /// off again.
    package var canTurnSharingOn: Bool {
        (product.kind == .nonConsumable || product.kind == .autoRenewable) && !product.isFamilyShareable
    }

    /// The product with the checked values of a form. A text that is the
    /// stored one is kept, also if it has another length than Connect's.
    ///
    /// - Throws: ``InvalidFields``.
    func with(_ values: Values) throws -> ProductRegistration {
        var checks = FieldChecks()
        var changed = self
        if values.referenceName != product.referenceName || values.referenceName.isEmpty {
            changed.product.referenceName = checks.text(
                values.referenceName, field: "reference", longest: Self.longestReferenceName)
        }
        changed.product.localizations = texts(values.texts, &checks)
        changed.product.exclusions = Self.countries(values.exclusions, &checks)
        changed.isCleared = values.isCleared
        if canTurnSharingOn { changed.product.isFamilyShareable = values.isFamilyShareable }
        if product.plan != nil {
            changed.product.plan?.level = Self.level(values.level, &checks)
            changed.product.contactBonus = Self.bonus(values.contactBonus, &checks)
        }
        changed.reviewNote =
            values.reviewNote.isEmpty
            ? "" : checks.text(values.reviewNote, field: "note", longest: ProductReview.longestNote, isOneLine: false)
        if canChangePrice { changed.setPrice(values, &checks) }
        try checks.finish()
        return changed
    }

    private mutating func setPrice(_ values: Values, _ checks: inout FieldChecks) {
        let others = Self.prices(values.otherPrices, &checks)
        if values.tier.isEmpty {
            hasPrice = false
            if !others.isEmpty { checks.add("tier", .missing) }
        } else if values.tier == Values.keep, hasPrice {
            product.prices = others
        } else if let tier = PriceTier.numbered(values.tier) {
            hasPrice = true
            product.set(tier)
            product.prices = others
        } else {
            checks.add("tier", .unknown)
        }
    }

    static func level(_ text: String, _ checks: inout FieldChecks) -> Int {
        let text = text.trimmingWhitespace()
        guard let level = Int(text), (1...lowestLevel).contains(level) else {
            checks.add("level", text.isEmpty ? .missing : .malformed)
            return 1
        }
        return level
    }

    private static func bonus(_ text: String, _ checks: inout FieldChecks) -> SubscriptionPeriod? {
        guard !text.isEmpty else { return nil }
        guard let bonus = SubscriptionPeriod(iso8601: text), bonus.isAtMostAYear else {
            checks.add("contactBonus", .malformed)
            return nil
        }
        return bonus
    }

    private func texts(_ texts: [Product.Localization], _ checks: inout FieldChecks) -> [Product.Localization] {
        var kept: [Product.Localization] = []
        for var text in texts {
            text.title = text.title.trimmingWhitespace()
            text.description = text.description.trimmingWhitespace()
            if text.title.isEmpty, text.description.isEmpty { continue }
            let stored = product.localizations.first { $0.locale == text.locale }
            guard stored != nil || AppRegistration.locales.contains(text.locale) else {
                checks.add("newLocale", text.locale.isEmpty ? .missing : .unknown)
                continue
            }
            if kept.contains(where: { $0.locale == text.locale }) { checks.add("newLocale", .taken) }
            if text.title != stored?.title, !text.title.isEmpty {
                _ = checks.text(text.title, field: "title-\(text.locale)", longest: Self.longestTitle)
            }
            if text.description != stored?.description, !text.description.isEmpty {
                _ = checks.text(
                    text.description, field: "description-\(text.locale)", longest: Self.longestDescription)
            }
            kept.append(text)
        }
        return kept.sorted { $0.locale < $1.locale }
    }

    /// The prices of the lines `DEU 1.19`.
    static func prices(_ text: String, _ checks: inout FieldChecks) -> [String: Int64] {
        var prices: [String: Int64] = [:]
        for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard words.count == 2, let storefront = try? Storefront.known(words[0].uppercased()),
                let price = try? Money.milliunits(of: words[1], in: storefront.currency)
            else {
                checks.add("prices", .malformed)
                return prices
            }
            prices[storefront.countryCode] = price
        }
        return prices
    }

    static func countries(_ text: String, _ checks: inout FieldChecks) -> Set<String> {
        let codes = text.uppercased().split { $0.isWhitespace || $0 == "," }.map(String.init)
        if codes.contains(where: { (try? Storefront.known($0)) == nil }) { checks.add("exclusions", .unknown) }
        return Set(codes)
    }
}
