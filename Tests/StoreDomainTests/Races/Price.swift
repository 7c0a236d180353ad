// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreDomain
import StoreTestSupport

/// An amount of money, with the storefront in which it is the price.
struct Price: Hashable, Sendable {
    var milliunits: Int64
    var currency: String
    var storefront: String

    var money: Money { Money(milliunits: milliunits, currency: currency) }
}

extension Price {
    /// The price of an apple in the test catalogue.
    static let appleInUSA = Price(milliunits: 990, currency: "USD", storefront: "USA")
    /// Another number, so that the price of one storefront can't be mistaken
    /// for the other's.
    static let appleInJapan = Price(milliunits: 150_000, currency: "JPY", storefront: "JPN")
}

extension TestStore {
    /// Sells apples in Japan for ``Price/appleInJapan``.
    func sellApplesInJapan() async throws {
        let price = Price.appleInJapan
        var configuration = try StoreKitConfigurationFile(
            Data(Self.catalogue.utf8), file: "test.storekit", bundleIdentifier: BundleIdentifier(Self.bundleIdentifier))
        for index in configuration.products.indices
        where configuration.products[index].productIdentifier == "apple" {
            configuration.products[index].prices[price.storefront] = price.milliunits
        }
        try await ImportingCatalogue(context)(
            configuration, into: App(bundleIdentifier: BundleIdentifier(Self.bundleIdentifier), name: "Fruit"))
    }

    /// The prices in the rows of an account's purchases.
    func purchases(of account: Account) async throws -> [Price] {
        try await prices("purchase", of: account)
    }

    /// The amounts in the rows of an account's payments.
    func payments(of account: Account) async throws -> [Price] {
        try await prices("payment", of: account)
    }

    private func prices(_ table: String, of account: Account) async throws -> [Price] {
        try await context.database.read { connection in
            try connection.rows(
                "SELECT milliunits, currency, storefront FROM \(table) WHERE account_id = $1", [account.identifier]
            ).map { row in
                Price(
                    milliunits: try row.get("milliunits"), currency: try row.get("currency"),
                    storefront: try row.get("storefront"))
            }
        }
    }
}
