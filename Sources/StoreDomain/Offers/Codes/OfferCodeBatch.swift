// SPDX-License-Identifier: Apache-2.0

/// Codes that a seller has made together, all for one offer or product.
package struct OfferCodeBatch: Hashable, Sendable {
    /// The kinds of codes, with the words of the database.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Drawn codes, each of which is redeemed once.
        case oneTime = "one-time"
        /// A word of the seller's, which many customers redeem.
        case custom
        /// Drawn codes for the product itself, each of which is redeemed once.
        case promo
    }

    /// 1 to 64 letters, digits and hyphens, chosen by the caller, who may
    /// repeat the call.
    package var identifier: String
    package var bundleIdentifier: BundleIdentifier
    /// The product of the app; empty for promo codes of the app itself.
    package var productIdentifier: ProductIdentifier
    package var kind: Kind
    /// The name of the product's code offer; empty for promo codes.
    package var offer: String
    /// The seller's own name for the batch.
    package var name: String
    /// The number of codes: 1 for a custom code.
    package var size: Int
    /// How often each code can be redeemed: once, unless it is a custom one.
    package var usesLimit: Int
    /// A hash of the seed or of the custom code, by which a repeated call is
    /// recognised.
    package var fingerprint: String
    /// The number of codes that are saved.
    package var made = 0
    /// How often its codes were redeemed, together.
    package var redemptions = 0
    package var created: WallTime
    /// `nil` for a custom code without an end.
    package var expires: WallTime?
    package var revoked: WallTime?

    /// Whether its codes give the app itself, on its page in the store.
    package var isForApp: Bool { productIdentifier.rawValue.isEmpty }

    /// Whether all of its codes are saved.
    package var isComplete: Bool { made == size }

    /// The most codes of one batch.
    static let largest = 25_000
    /// The most redemptions that an app's one-time and custom codes of one
    /// quarter allow.
    static let mostOfQuarter = 1_000_000
    /// The most batches of one-time and custom codes of an app in a quarter.
    static let mostBatches = 1000
    /// The most promo codes of a product, or of the app itself, in half a year.
    static let mostPromosOfProduct = 100
    /// The most promo codes of an app in half a year.
    static let mostPromosOfApp = 1000
    /// The days for which a promo code is valid.
    static let promoDays = 28
    /// The months after which a one-time code has ended.
    static let longestMonths = 6

    /// Whether a repeated call asks for the same batch.
    func isSame(as other: OfferCodeBatch) -> Bool {
        bundleIdentifier == other.bundleIdentifier && productIdentifier == other.productIdentifier
            && kind == other.kind && offer == other.offer && name == other.name && size == other.size
            && usesLimit == other.usesLimit && fingerprint == other.fingerprint
    }

    /// Sets the end of the codes that the seller hasn't set.
    ///
    /// - Throws: ``DomainError`` `invalid` for an end that the kind can't have.
    mutating func end(at wanted: WallTime?) throws {
        if let wanted, wanted <= created {
            throw DomainError(.invalid, "The codes would have ended already: name a later time.")
        }
        switch kind {
        case .custom: expires = wanted
        case .promo:
            guard wanted == nil else {
                throw DomainError(.invalid, "A promo code is valid for \(Self.promoDays) days: name no end.")
            }
            expires = created + .seconds(Self.promoDays * 86_400)
        case .oneTime:
            let last = created.adding(months: Self.longestMonths)
            guard (wanted ?? last) <= last else {
                throw DomainError(.invalid, "A one-time code is valid for at most \(Self.longestMonths) months.")
            }
            expires = wanted ?? last
        }
    }

    /// Checks the values that the seller has chosen.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    func check() throws {
        guard (1...64).contains(identifier.utf8.count),
            identifier.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { throw DomainError(.invalid, "A batch's identifier has 1 to 64 letters, digits and hyphens.") }
        guard (1...200).contains(name.utf8.count) else {
            throw DomainError(.invalid, "A batch's name has 1 to 200 bytes.")
        }
        let most = kind == .promo ? Self.mostPromosOfProduct : Self.largest
        guard kind == .custom ? size == 1 : (1...most).contains(size) else {
            throw DomainError(.invalid, "A batch has 1 to \(most) codes, not \(size).")
        }
        let mostUses = kind == .custom ? Self.mostOfQuarter : 1
        guard (1...mostUses).contains(usesLimit) else {
            throw DomainError(
                .invalid,
                kind == .custom
                    ? "A custom code is redeemed 1 to \(mostUses) times, not \(usesLimit)."
                    : "A code that the store draws is redeemed once: name no limit.")
        }
    }
}

extension WallTime {
    /// The same time of the day, a number of months later (UTC).
    func adding(months: Int) -> WallTime {
        let day = CivilDate(dayNumber: dayNumber).adding(months: months)
        return WallTime(milliseconds: Int64(day.dayNumber) * 86_400_000 + milliseconds % 86_400_000)
    }

    /// The start of the part of its year, of `months` each, in which it is
    /// (UTC).
    func startOfPart(months: Int) -> WallTime {
        var day = CivilDate(dayNumber: dayNumber)
        day.month = (day.month - 1) / months * months + 1
        day.day = 1
        return WallTime(milliseconds: Int64(day.dayNumber) * 86_400_000)
    }

    private var dayNumber: Int { Int(max(0, milliseconds) / 86_400_000) }
}
