// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore

/// An app or another medium that the store sells on a page of its own.
///
/// Its title, description and prices are those of a non-consumable product of
/// ``catalogue``. So an item is bought, refunded, approved by a parent and
/// listed by the code that does this for all products, and an account owns it
/// once.
package struct Item: Hashable, Sendable {
    /// The kind of a medium.
    package enum Kind: String, CaseIterable, Sendable {
        case app, song, album, movie, book, podcast
    }

    /// The bundle identifier of the products of all items. No device delivers
    /// them.
    package static let catalogue: BundleIdentifier = "items.openstorekit"

    /// The number in the address of the page, which apps know as
    /// `SKStoreProductParameterITunesItemIdentifier`.
    package var identifier: Int64
    package var kind: Kind
    /// The bundle identifier of an app; `nil` for other media.
    package var app: BundleIdentifier?
    /// The name of the seller.
    package var seller: String
    /// The version that is sold now, such as `1.0`; empty for an app before its
    /// first version is released.
    package var version: String
    /// The seller's own address for those who have bought it (https).
    package var link: String
    /// The product with the title, the description and the prices.
    package var product: Product
    /// The team that has registered it.
    package var team = Team.ofTheStore
    /// The number of its changes.
    package var edits: Int64 = 0
    /// The moment from which it is sold; `nil` for an item that has none.
    package var available: WallTime?

    package init(
        identifier: Int64, kind: Kind, app: BundleIdentifier?, seller: String, version: String, link: String,
        product: Product
    ) {
        self.identifier = identifier
        self.kind = kind
        self.app = app
        self.seller = seller
        self.version = version
        self.link = link
        self.product = product
    }

    /// The identifiers that an item may have: numbers that JSON keeps exactly.
    package static let identifiers: ClosedRange<Int64> = 1...9_007_199_254_740_991
    /// The largest numbers of characters of texts, which have at most four
    /// bytes for each. They are those of the operator's items and of Connect's
    /// form, so that a user can change each item on its page.
    static let longestTitle = 200
    static let longestDescription = 4000
    static let longestSeller = 200
    static let longestVersion = 50
    /// The largest number of bytes of a link.
    static let longestLink = 2000
    /// The largest number of languages of an item.
    static let languages = 50

    /// The folder of its page: that of apps, or that of other media.
    package var folder: String { Self.folder(isApp: kind == .app) }

    /// The folder of the pages of apps, or of those of other media.
    package static func folder(isApp: Bool) -> String { isApp ? "app" : "item" }

    /// The identifier of the product of an item.
    static func product(of identifier: Int64) -> ProductIdentifier { ProductIdentifier(String(identifier)) }

    /// The identifier of the item of a purchase; `nil` for a purchase of
    /// another kind.
    package static func identifier(of purchase: Purchase) -> Int64? {
        purchase.bundleIdentifier == catalogue ? Int64(purchase.productIdentifier.rawValue) : nil
    }
}

extension Item {
    /// The page of Connect on which a team changes an item.
    package enum Place: Hashable, Sendable {
        /// The page of an item that isn't an app.
        case item(Int64)
        /// The store page of an app.
        case app(BundleIdentifier)

        /// The name of the item in the log of changes.
        var subject: String {
            switch self {
            case .item(let identifier): String(identifier)
            case .app(let app): app.rawValue
            }
        }
    }

    /// The reason why an item isn't sold in any country yet.
    package enum Hold: Hashable, Sendable {
        /// No version of the app is released.
        case unreleased
        /// It is sold from this moment on.
        case until(WallTime)
    }

    /// The reason why it isn't sold at a moment; `nil` when it is sold.
    package func hold(at now: WallTime) -> Hold? {
        if version.isEmpty { return .unreleased }
        guard let available, available > now else { return nil }
        return .until(available)
    }

    /// Checks the values that a seller gives.
    ///
    /// - Throws: ``DomainError`` `invalid` with the value and its remedy.
    func check() throws {
        guard Self.identifiers.contains(identifier) else {
            throw DomainError(.invalid, "An item's identifier is 1 to \(Self.identifiers.upperBound).")
        }
        guard app == nil || kind == .app else {
            throw DomainError(.invalid, "Only an item of the kind app has a bundle identifier.")
        }
        if let app, !(1...255).contains(app.rawValue.utf8.count) || app == Self.catalogue {
            throw DomainError(.invalid, "A bundle identifier has 1 to 255 bytes, such as com.example.fruit.")
        }
        try Self.check(seller, "The seller", upTo: Self.longestSeller)
        try Self.check(version, "The version", upTo: Self.longestVersion)
        guard Self.isLink(link) else {
            throw DomainError(.invalid, "The link isn't an https address of at most \(Self.longestLink) bytes.")
        }
        guard (1...Self.languages).contains(product.localizations.count) else {
            throw DomainError(.invalid, "An item has texts in 1 to \(Self.languages) languages.")
        }
        for text in product.localizations {
            try Self.check(text.title, "The title", upTo: Self.longestTitle)
            let lines = text.description.split(separator: "\n", omittingEmptySubsequences: false)
            guard Self.isShort(text.description, upTo: Self.longestDescription),
                !lines.contains(where: { $0.unicodeScalars.contains(where: \.isInvisible) })
            else {
                throw DomainError(
                    .invalid,
                    """
                    A description has at most \(Self.longestDescription) characters, and none that can't be shown.
                    """)
            }
        }
    }

    private static func check(_ text: String, _ what: String, upTo limit: Int) throws {
        guard !text.isEmpty, isShort(text, upTo: limit), !text.unicodeScalars.contains(where: \.isInvisible) else {
            throw DomainError(.invalid, "\(what) has 1 to \(limit) characters, and none that can't be shown.")
        }
    }

    /// Whether a text has at most so many characters, as `FieldChecks.text`
    /// counts them.
    private static func isShort(_ text: String, upTo limit: Int) -> Bool {
        text.utf8.count <= limit * 4 && text.count <= limit
    }

    /// Whether a text is an https address that a page may link to.
    static func isLink(_ text: String) -> Bool {
        guard text.utf8.count <= longestLink, text.hasPrefix("https://"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "<") }),
            let url = URLComponents(string: text), let host = url.host, !host.isEmpty, url.user == nil,
            url.password == nil
        else { return false }
        return true
    }
}
