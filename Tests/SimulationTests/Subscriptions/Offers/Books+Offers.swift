// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

extension Books {
    struct Offer: Decodable {
        var kind: String
        var identifier: String
        var mode: String
        var period: String
        var periods: Int64
        /// The place among the periods that are paid one by one.
        var number: Int64
        var milliunits: Int64
        var regularMilliunits: Int64
        var storefront: String
    }

    /// A higher price of which a subscriber was informed.
    struct Increase: Decodable {
        var milliunits: Int64
        var storefront: String
        var needsConsent: Bool
        var applies: Int64
        var isAgreed: Bool
    }

    /// The price of a product when it was chosen for a next period.
    struct ChosenPrice: Decodable {
        var milliunits: Int64
        var storefront: String
    }

    /// A code with its uses.
    struct Code {
        var hash: String
        var uses: Int
        var limit: Int
    }

    struct Redemption {
        var number: String
        var hash: String
        var account: String
        /// The app, the product and the offer.
        var offer: String
        /// The purchase, or the period before the one that has the offer.
        var transaction: String?
    }

    /// The codes with their uses, and the redemptions.
    struct Codes {
        var codes: [Code] = []
        var redemptions: [Redemption] = []
        /// The numbers of the redemptions that wait for a person.
        var waiting: Set<String> = []
    }

    private struct CodeOfRequest: Decodable {
        var number: String
    }

    static func codes(_ connection: any Connection) throws -> Codes {
        var codes = Codes()
        codes.codes = try connection.rows("SELECT hash, uses, uses_limit FROM offer_code ORDER BY hash").map {
            Code(hash: try $0.get("hash"), uses: try $0.get("uses"), limit: try $0.get("uses_limit"))
        }
        codes.redemptions = try connection.rows(
            """
            SELECT payment_number, hash, account_id, bundle_id, product_id, offer_id, transaction_id
            FROM code_redemption ORDER BY payment_number
            """
        ).map { row in
            let (bundle, product): (String, String) = (try row.get("bundle_id"), try row.get("product_id"))
            let offer: String = try row.get("offer_id")
            return Redemption(
                number: try row.get("payment_number"), hash: try row.get("hash"), account: try row.get("account_id"),
                offer: "\(bundle) \(product) \(offer)", transaction: try row.get("transaction_id"))
        }
        for row in try connection.rows(
            "SELECT code FROM request WHERE status IN ('deferred', 'interrupted') AND code IS NOT NULL")
        {
            let text: String = try row.get("code")
            codes.waiting.insert(try JSONDecoder().decode(CodeOfRequest.self, from: Data(text.utf8)).number)
        }
        return codes
    }

    /// The base prices of an app's products.
    static func prices(of bundle: String, _ world: World) -> [String: Int64] {
        let prices = try? world.store.database?.read { connection in
            try connection.rows("SELECT product_id, milliunits FROM product WHERE bundle_id = $1", [bundle])
                .reduce(into: [String: Int64]()) { prices, row in
                    prices[try row.get("product_id")] = try row.get("milliunits")
                }
        }
        return prices ?? [:]
    }
}
