// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// Reports of users of Apple's StoreKit, played in one shop.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct UserReportTests {
    private let session: SKTestSession
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path("Shop.storekit"))
        try Data(Self.text.utf8).write(to: url)
        session = try SKTestSession(contentsOf: url)
        session.disableDialogs = true
    }

    private func isEligible() async throws -> Bool? {
        try await Product.products(for: ["shop.silver.month"]).first?.subscription?.isEligibleForIntroOffer
    }

    @Test("A customer is eligible for the introduction after a period without one, and not after an expired trial")
    func eligibility() async throws {
        #expect(try await isEligible() == true)
        await (try bought("shop.gold.month")).finish()
        #expect(try await isEligible() == false)
        try session.expireSubscription(productIdentifier: "shop.gold.month")
        #expect(try await isEligible() == true)

        let trial = try await bought("shop.silver.month")
        #expect(trial.offer?.type == .introductory)
        await trial.finish()
        try session.expireSubscription(productIdentifier: "shop.silver.month")
        #expect(try await isEligible() == false)
    }

    @Test("A cancelled payment that isn't finished stays in the queue, and the same product can be added again")
    func cancelled() async throws {
        session.disableDialogs = false
        let app = App()
        app.finishes = false
        await app.buy("shop.coins")
        try session.cancelDialogs()
        await mainQueueUpdates()
        #expect(app.heard == ["purchasing shop.coins", "failed shop.coins"] && app.errors == [.paymentCancelled])

        session.disableDialogs = true
        await app.buy("shop.coins")
        let states = SKPaymentQueue.default().transactions.map(\.transactionState)
        #expect(states.count == 2 && Set(states) == [.failed, .purchased])
        for transaction in SKPaymentQueue.default().transactions {
            SKPaymentQueue.default().finishTransaction(transaction)
        }
        app.quit()
    }

    @Test("A refund arrives once, with the number of its purchase")
    func refunded() async throws {
        var listener = Transaction.updates.makeAsyncIterator()
        let pro = try await bought("shop.pro")
        await pro.finish()
        try session.refundTransaction(identifier: UInt(pro.id))
        let refund = try await listener.next()?.payloadValue
        #expect(refund?.id == pro.id && refund?.revocationDate != nil)
        // Neither the purchase nor the refund again comes before the next purchase from outside.
        let coins = try await session.buyProduct(identifier: "shop.coins", options: [])
        let next = try await listener.next()?.payloadValue
        #expect(next?.id == coins.id)
    }

    @Test("A listener that begins after a purchase gets the renewals, and no purchase of a call")
    func renewed() async throws {
        let gold = try await bought("shop.gold.month")
        await gold.finish()
        var listener = Transaction.updates.makeAsyncIterator()
        let coins = try await bought("shop.coins")
        try session.advance(by: .seconds(32 * 86_400))
        let renewal = try await listener.next()?.payloadValue
        #expect(renewal?.reason == .renewal && renewal?.originalID == gold.id && renewal?.id != gold.id)
        await coins.finish()
    }

    @Test("A finished non-renewing subscription stays an entitlement, and a finished consumable is none")
    func finished() async throws {
        for product in ["shop.pass30", "shop.coins"] { await (try bought(product)).finish() }
        var entitled: [String] = []
        for await result in Transaction.currentEntitlements { entitled.append(try result.payloadValue.productID) }
        #expect(entitled == ["shop.pass30"])
    }

    private static func subscription(
        _ identifier: String, _ price: String, _ period: String, _ more: String
    ) -> String {
        """
        { "productID" : "\(identifier)", "referenceName" : "\(identifier)", "displayPrice" : "\(price)",
          "internalID" : "\(identifier)", "familyShareable" : false, "type" : "RecurringSubscription",
          "recurringSubscriptionPeriod" : "\(period)", "subscriptionGroupID" : "PLANS", "localizations" : [], \(more) }
        """
    }

    private static let text = """
        {
          "products" : [
            { "displayPrice" : "0.99", "familyShareable" : false, "internalID" : "1", "productID" : "shop.coins",
              "referenceName" : "Coins", "type" : "Consumable", "localizations" : [] },
            { "displayPrice" : "9.99", "familyShareable" : true, "internalID" : "2", "productID" : "shop.pro",
              "referenceName" : "Pro", "type" : "NonConsumable", "localizations" : [] }
          ],
          "nonRenewingSubscriptions" : [
            { "displayPrice" : "4.99", "familyShareable" : false, "internalID" : "4", "productID" : "shop.pass30",
              "referenceName" : "Pass", "type" : "NonRenewingSubscription", "localizations" : [] }
          ],
          "subscriptionGroups" : [
            { "id" : "PLANS", "name" : "Plans", "localizations" : [], "subscriptions" : [
              \(subscription("shop.gold.month", "9.99", "P1M", "\"groupNumber\" : 1")),
              \(subscription(
                  "shop.silver.month", "4.99", "P1M",
                  """
                  "groupNumber" : 2,
                  "introductoryOffer" : { "internalID" : "3", "paymentMode" : "free", "subscriptionPeriod" : "P1W" }
                  """)),
              \(subscription("shop.silver.year", "49.99", "P1Y", "\"groupNumber\" : 2")) ] }
          ],
          "version" : { "major" : 3, "minor" : 0 }
        }
        """
}
