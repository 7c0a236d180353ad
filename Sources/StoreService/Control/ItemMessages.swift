// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDomain

/// The messages about the apps and other media that the store sells on pages
/// of their own.
extension Control {
    /// Adds an item, or replaces the one with its identifier.
    package struct ItemCall: Codable, Sendable {
        /// The title and the description in one language.
        package struct Text: Codable, Sendable {
            package var title: String
            package var description: String

            package init(title: String, description: String) {
                self.title = title
                self.description = description
            }
        }

        /// The number in the address of the page.
        package var item: Int64
        /// `app`, `song`, `album`, `movie`, `book` or `podcast`.
        package var kind: String
        /// The bundle identifier of an app.
        package var bundle: String?
        package var seller: String
        /// The version that is sold; when absent, that of the item, and `1.0`
        /// for a new one.
        package var version: String?
        /// The seller's https address for those who have bought it.
        package var link: String
        /// The base price, a decimal such as `0.99`.
        package var price: String
        /// Prices by country, in three letters.
        package var prices: [String: String]?
        /// The countries in which it isn't sold, in three letters.
        package var notSoldIn: [String]?
        /// The first day on which it is sold (UTC), such as `2026-12-31`; it has
        /// none when absent.
        package var firstDay: String?
        /// The texts by locale, such as `en_US`.
        package var texts: [String: Text]
        /// The bytes of an image in base64: PNG, JPEG or WebP.
        package var icon: Data?
        /// The bytes of at most 8 images in base64.
        package var screenshots: [Data]?

        package init(item: Int64, kind: String, seller: String, link: String, price: String, texts: [String: Text]) {
            self.item = item
            self.kind = kind
            self.seller = seller
            self.link = link
            self.price = price
            self.texts = texts
        }
    }

    /// An item without its images.
    package struct ItemAnswer: Codable, Sendable {
        package var item: Int64
        package var kind: String
        package var bundle: String?
        package var seller: String
        package var version: String
        package var link: String
        /// The title in English, or else in any language.
        package var title: String
        /// The base price, a decimal such as `0.99`.
        package var price: String
        /// The first day on which it is sold (UTC); absent for an item without
        /// one.
        package var firstDay: String?
    }

    package struct ItemsCall: Codable, Sendable {
        /// Lists items with identifiers after this one; from the first when
        /// absent.
        package var after: Int64?

        package init(after: Int64?) {
            self.after = after
        }
    }

    /// At most 200 items, in the order of their identifiers.
    package struct ItemsAnswer: Codable, Sendable {
        package var items: [ItemAnswer]

        package init(items: [ItemAnswer]) {
            self.items = items
        }
    }
}
