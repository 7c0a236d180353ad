// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension ConnectAnswers {
    struct Screenshot: Encodable {
        /// The number in the path: 1 for the first one.
        var place: Int
        /// The SHA-256 of the bytes in lower-case hexadecimal, with which
        /// `/artwork/` has it.
        var digest: String
    }

    /// The store page of an app. Before it is saved for the first time, its
    /// values are empty.
    struct StorePage: Encodable {
        var bundle: String
        /// The number in the address of the page.
        var appleId: Int64?
        /// `unsaved`, `unreleased`, `waiting` before the first day, or `sold`.
        var state: String
        /// The version that is sold.
        var sold: String?
        var seller: String?
        var link: String?
        /// The tier of the price; `nil` with another one.
        var tier: Int?
        var price: String?
        /// The prices that aren't the tier's, by country.
        var prices: [String: String]
        /// The countries in which it isn't sold.
        var exclusions: [String]
        var firstDay: String?
        var texts: [String: Text]
        var screenshots: [Screenshot]
        var version: Int64
    }

    struct AppVersion: Encodable {
        var version: String
        /// The number in receipts (`version_external_identifier`).
        var externalIdentifier: Int64
        var state: String
        var added: String
        var released: String?
    }

    struct AppVersions: Encodable {
        var versions: [AppVersion]
        var next: Int64?
    }
}

extension ConnectAnswers.StorePage {
    init(_ page: RegisteringStorePage.Page, at now: WallTime) {
        let (item, product) = (page.item, page.item?.product)
        let texts = (product?.localizations ?? []).map { text in
            (text.locale, ConnectAnswers.Text(title: text.title, description: text.description))
        }
        self.init(
            bundle: page.app.bundleIdentifier.rawValue, appleId: item?.identifier ?? page.app.appleIdentifier,
            state: item?.state(at: now) ?? "unsaved", sold: item.flatMap { $0.version.isEmpty ? nil : $0.version },
            seller: item?.seller, link: item?.link, tier: product.flatMap { PriceTier.of($0)?.number },
            price: product?.milliunits.decimal,
            prices: page.otherPrices.pricesByCountry, exclusions: product?.exclusions.sorted() ?? [],
            firstDay: item.flatMap { $0.firstDay.isEmpty ? nil : $0.firstDay },
            texts: Dictionary(texts) { first, _ in first },
            screenshots: page.screenshots.map { ConnectAnswers.Screenshot(place: $0.place, digest: $0.digest) },
            version: page.version)
    }
}

extension Item {
    /// The state of a store page in answers.
    fileprivate func state(at now: WallTime) -> String {
        switch hold(at: now) {
        case nil: "sold"
        case .unreleased: "unreleased"
        case .until: "waiting"
        }
    }
}

extension ConnectAnswers.AppVersion {
    init(_ version: StoreDomain.AppVersion) {
        self.init(
            version: version.version, externalIdentifier: version.externalIdentifier, state: version.state.rawValue,
            added: version.added.iso8601, released: version.released?.iso8601)
    }
}
