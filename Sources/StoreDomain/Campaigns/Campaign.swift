// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
package import StoreCore

/// The purchases of an app, or of another medium, that customers have made
/// after a click on a link with the same tokens.
package struct Campaign: Hashable, Sendable {
    /// The values that the purchases share.
    package struct Subject: Hashable, Sendable {
        package var tokens: CampaignTokens
        /// The name of the seller.
        package var seller: String
        /// The app that was got, or in which was bought; `nil` for another
        /// medium.
        package var app: BundleIdentifier?
        /// The item of the app, or the medium; `nil` for an app without a page.
        package var item: Int64?
        /// ISO 4217.
        package var currency: String
    }

    package var subject: Subject
    /// The number of purchases, those that cost nothing among them. A refund
    /// doesn't change it.
    package var purchases: Int64
    /// The sum of the prices in thousandths, at most ``largest``.
    package var milliunits: Int64

    /// The largest sum, which JSON keeps exactly.
    static let largest: Int64 = 9_007_199_254_740_991

    package var identifier: String { subject.identifier }
    /// The sum of the prices.
    package var amount: Money { Money(milliunits: milliunits, currency: subject.currency) }
}

extension Campaign.Subject {
    /// A hash of all values, by which the store keeps one row for each subject.
    var identifier: String {
        let parts = [tokens.text, seller, app?.rawValue ?? "", item.map { String($0) } ?? "", currency]
        // A length before each part, so that no two lists have the same text.
        let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
        return Data(SHA256.hash(data: Data(text.utf8))).hexadecimal
    }
}

extension Campaign {
    /// The sums of purchases by their subjects, in one order for all writers.
    static func sums(of purchases: [CampaignPurchase]) -> [Campaign] {
        Dictionary(grouping: purchases, by: \.subject).map { subject, purchases in
            Campaign(
                subject: subject, purchases: Int64(purchases.count),
                milliunits: purchases.reduce(0) { min($0 + $1.milliunits, largest) })
        }
        .sorted { $0.identifier < $1.identifier }
    }
}
