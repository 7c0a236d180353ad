// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore

/// The values of the form with which codes are made.
package struct CodeValues: Sendable {
    /// The identifier that a program has drawn for the batch, 16 hexadecimal
    /// digits; empty for one that the store draws.
    package var batch = ""
    /// The product of the app; empty for codes of the app itself.
    package var product = ""
    /// Whether the codes give the app itself: promo codes, without an offer and
    /// a word.
    package var isForApp = false
    /// The name of the product's code offer; empty for promo codes, which give
    /// the product itself.
    package var offer = ""
    package var name = ""
    /// The number of drawn codes.
    package var count = ""
    /// The last day of the codes, such as `2026-12-31` (UTC); empty for the
    /// usual end of the kind.
    package var lastDay = ""
    /// A word of the seller's; empty for drawn codes.
    package var word = ""
    /// The number of redemptions of the word.
    package var limit = ""

    package static let longestName = 64
    /// The bytes of a batch's identifier.
    package static let batchBytes = 8

    package init() {}

    /// Names the batch by the identifier that the page has drawn for its form,
    /// and by the values: the same form makes one batch, however often a
    /// browser sends it, and one with other values makes another batch. A form
    /// without an identifier names none.
    package mutating func setBatch(drawn: String, isWord: Bool) {
        guard !drawn.isEmpty else { return }
        let values = [drawn, isWord ? "word" : "draw", product, offer, name, count, lastDay, word, limit]
        let digest = SHA256.hash(data: Data(values.joined(separator: "\0").utf8))
        batch = Data(digest).prefix(Self.batchBytes).hexadecimal
    }

    /// The order of checked values; `batch` and `seed` are new.
    ///
    /// - Throws: ``InvalidFields``.
    func order(of app: BundleIdentifier, isWord: Bool, batch: String, seed: Data) throws -> ManagingCodes.Order {
        var checks = FieldChecks()
        if !batch.isHexadecimal(bytes: Self.batchBytes) { checks.add("batch", .malformed) }
        let product = product.trimmingWhitespace()
        if isForApp {
            let others = [("product", product), ("offer", offer), ("word", word)]
            for (field, text) in others where !text.isEmpty { checks.add(field, .unknown) }
        } else if product.isEmpty {
            checks.add("product", .missing)
        }
        let name = checks.text(name, field: "name", longest: Self.longestName)
        let expires = end(&checks)
        var order = ManagingCodes.Order(
            batch: batch, bundleIdentifier: app, productIdentifier: ProductIdentifier(product),
            kind: isWord ? .custom : offer.isEmpty ? .promo : .oneTime, offer: offer.isEmpty ? nil : offer, name: name,
            expires: expires)
        if isWord {
            if offer.isEmpty, !isForApp { checks.add("offer", .missing) }
            let code = OfferCodeText(typed: word)
            if code == nil { checks.add("word", word.isEmpty ? .missing : .malformed) }
            order.code = word
            order.usesLimit = number(limit, "limit", most: OfferCodeBatch.mostOfQuarter, &checks)
        } else {
            let most = order.kind == .promo ? OfferCodeBatch.mostPromosOfProduct : OfferCodeBatch.largest
            order.size = number(count, "count", most: most, &checks)
            order.seed = seed
            if order.kind == .promo, expires != nil { checks.add("lastDay", .unknown) }
        }
        try checks.finish()
        return order
    }

    private func number(_ text: String, _ field: String, most: Int, _ checks: inout FieldChecks) -> Int {
        let text = text.trimmingWhitespace()
        guard let number = Int(text), (1...most).contains(number) else {
            checks.add(field, text.isEmpty ? .missing : .outOfRange, limit: most)
            return 1
        }
        return number
    }

    /// The end of the last day.
    private func end(_ checks: inout FieldChecks) -> WallTime? {
        let text = lastDay.trimmingWhitespace()
        if text.isEmpty { return nil }
        guard let day = CivilDate.number(of: text) else {
            checks.add("lastDay", .malformed)
            return nil
        }
        return WallTime(milliseconds: Int64(day + 1) * 86_400_000)
    }
}
