// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

/// A product of a configuration file, read without the store's own reader.
struct ConfiguredProduct: Sendable {
    var identifier: String
    var type: ProductType
    /// The price in thousandths.
    var milliunits: Int64
    /// The length of a subscription's period; `nil` for every other product.
    var period: String?
    /// The group of a subscription; `nil` for every other product.
    var group: String?
    /// The first two charges of a new subscriber, in thousandths: those of an
    /// introductory offer before the regular price.
    var charges: [Int64]

    /// Every product that a file names: those of the lists of products and of
    /// non-renewing subscriptions, and the plans of every group.
    static func all(in contents: Data) throws -> [ConfiguredProduct] {
        let root = try #require(try JSONSerialization.jsonObject(with: contents) as? [String: Any])
        let groups = root["subscriptionGroups"] as? [[String: Any]] ?? []
        let lists = ["products", "nonRenewingSubscriptions"].map { root[$0] as? [[String: Any]] ?? [] }
        let plans = groups.flatMap { $0["subscriptions"] as? [[String: Any]] ?? [] }
        return try (lists.flatMap(\.self) + plans).map { try ConfiguredProduct($0) }
    }

    private init(_ values: [String: Any]) throws {
        identifier = try #require(values["productID"] as? String)
        type =
            switch try #require(values["type"] as? String) {
            case "Consumable": .consumable
            case "NonConsumable": .nonConsumable
            case "NonRenewingSubscription": .nonRenewing
            case let other: try #require(other == "RecurringSubscription" ? .autoRenewable : nil)
            }
        milliunits = try Self.milliunits(values)
        period = values["recurringSubscriptionPeriod"] as? String
        group = values["subscriptionGroupID"] as? String
        charges = [milliunits, milliunits]
        let offers = values["introductoryOffers"] as? [[String: Any]] ?? []
        guard let offer = offers.first ?? values["introductoryOffer"] as? [String: Any] else { return }
        let mode = try #require(offer["paymentMode"] as? String)
        charges[0] = mode == "free" ? 0 : try Self.milliunits(offer)
        if mode == "payAsYouGo", offer["numberOfPeriods"] as? Int ?? 1 > 1 { charges[1] = charges[0] }
    }

    private static func milliunits(_ values: [String: Any]) throws -> Int64 {
        let price = try #require((values["displayPrice"] as? String).flatMap { Decimal(string: $0) })
        return NSDecimalNumber(decimal: price * 1000).int64Value
    }
}

extension TestStore {
    /// Imports a file, and requires that every product that it names is sold
    /// to a customer of its own.
    func sellsEveryProduct(of contents: Data, named file: String) async throws {
        try await sell(String(decoding: contents, as: UTF8.self))
        let products = try ConfiguredProduct.all(in: contents)
        #expect(!products.isEmpty, "\(file)")
        for (number, product) in products.enumerated() {
            try await subscriber(number).expectSold(product)
        }
    }
}

extension Subscriber {
    /// Requires that a product is listed, and buys it: it is charged,
    /// delivered and in the receipt. A subscription renews at its end.
    func expectSold(_ product: ConfiguredProduct) async throws {
        try await expectListed(product)

        let bought = try await buy(product.identifier)

        #expect(bought.productIdentifier == product.identifier)
        #expect(try await charges() == [product.charges[0]], "\(product.identifier)")
        let purchases = try contents(of: try await receipt()).inAppPurchases
        #expect(purchases.map(\.productIdentifier) == [product.identifier])
        #expect(purchases.map { $0.subscriptionExpirationDate == nil } == [product.period == nil])
        try await phone.finish(bought.transactionIdentifier)
        #expect(try await phone.queue().isEmpty, "\(product.identifier)")
        guard product.period != nil else { return }
        try await expectRenewed(product, after: bought)
    }

    private func expectListed(_ product: ConfiguredProduct) async throws {
        let answer = try await phone.call(
            ProductsCall(
                bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: [product.identifier],
                languages: ["en_US"]))
        let listed = try #require(answer.products.first, "\(product.identifier)")
        #expect(listed.type == product.type && listed.milliunits == product.milliunits, "\(product.identifier)")
        #expect(listed.subscriptionPeriod == product.period, "\(product.identifier)")
        #expect(listed.subscriptionGroupIdentifier == product.group, "\(product.identifier)")
    }

    private func expectRenewed(_ product: ConfiguredProduct, after first: TransactionInfo) async throws {
        try await advance(.to(subscription().state.end))

        let renewals = try await phone.queue()
        #expect(renewals.map(\.productIdentifier) == [product.identifier])
        #expect(renewals.map(\.originalTransactionIdentifier) == [first.transactionIdentifier])
        #expect(try await charges() == product.charges, "\(product.identifier)")
    }

    /// The amounts of the account's own entries of the ledger, in thousandths.
    private func charges() async throws -> [Int64] {
        try await store.amounts(of: account.identifier)
    }
}
