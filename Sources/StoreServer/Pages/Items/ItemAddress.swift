// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The address of an item's public page in one storefront and one language.
///
/// The page depends on nothing else than its address, so that a cache which is
/// shared by visitors may keep it.
struct ItemAddress {
    var item: Int64
    var isApp: Bool
    var storefront: Storefront
    var language: PageLanguage

    var path: String {
        "/\(Item.folder(isApp: isApp))/\(item)/\(storefront.countryCode)/\(language.rawValue)"
    }

    /// The address at which a customer buys an item.
    static func order(of item: Int64) -> String { "/item/\(item)/buy" }

    /// The address at which a customer redeems a promo code of an app.
    static func redemption(of item: Int64) -> String { "/item/\(item)/redeem" }

    /// The address of an image.
    static func artwork(_ digest: String, of item: Int64) -> String { "/artwork/\(item)/\(digest)" }

    /// Reads the number of an item, in the one form that an address has.
    static func identifier(_ text: String) -> Int64? {
        guard let number = Int64(text), String(number) == text, Item.identifiers.contains(number) else { return nil }
        return number
    }

    /// The storefront of a visitor: that of the account that is signed in, else
    /// the country of the browser's first language that has one.
    static func storefront(of account: Account?, languages: [String]) -> Storefront {
        if let account { return account.storefront }
        let regions = languages.compactMap { language in
            language.split(separator: "_").dropFirst().last { $0.utf8.count == 2 }?.uppercased()
        }
        return regions.lazy.compactMap { region in Storefront.all.first { $0.regionCode == region } }.first
            ?? .unitedStates
    }
}
