// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The payment sheet of an offer that is refused when it is confirmed: the
/// account, the offer or the price may be known only then.
struct RefusedOfferPageTests {
    /// Why an offer is refused.
    enum Reason: CaseIterable, Sendable {
        case neverSubscribed, anotherCustomer, removed, cheaperWithout, stillSubscribed

        var code: PurchaseFailure.Code {
            switch self {
            case .neverSubscribed, .stillSubscribed: .ineligibleForOffer
            case .anotherCustomer: .invalidSignature
            case .removed: .invalidOfferIdentifier
            case .cheaperWithout: .invalidOfferPrice
            }
        }

        /// A part of the sentence in which HTML escapes nothing.
        var sentence: String {
            switch self {
            case .neverSubscribed: "is for customers who have, or have had, a subscription of this app."
            case .stillSubscribed: "is for former subscribers, and the subscription of this account"
            case .anotherCustomer: "was made for the customer of the transaction"
            case .removed: "has no promotional offer"
            case .cheaperWithout: "costs 1.99 USD, which"
            }
        }
    }

    /// A store with a subscriber, Anna, and a phone on which no account is
    /// signed in.
    private struct Shop {
        let store: TestStore
        let seller: Signer
        let anna: Account
        let berta: Account
        let phone: TestDevice
        let log: RecordingLogHandler

        /// Asks for the payment that will be refused.
        func ask(_ reason: Reason, request: String = "r") async throws -> PaymentCall.Answer {
            var call = PaymentCall(
                requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier,
                productIdentifier: "monthly", quantity: 1)
            switch reason {
            case .stillSubscribed: call.winBackOffer = "back"
            case .anotherCustomer: call.discount = try seller.offer(for: try await transactionOfBerta())
            default: call.discount = try seller.offer()
            }
            return try await phone.call(call)
        }

        private func transactionOfBerta() async throws -> String {
            let tablet = try await store.addDevice(3)
            return try await tablet.buy("monthly", request: "berta", as: berta).transactionIdentifier
        }

        /// Makes the offer a wrong one, after the page was shown.
        func change(_ reason: Reason) async throws {
            switch reason {
            case .removed: try await store.sellMonthly(hasOffers: false)
            case .cheaperWithout: try await store.sellMonthly(price: "1.49")
            default: break
            }
        }

        func form(_ reason: Reason, _ decision: String) -> String {
            let account = reason == .neverSubscribed ? berta : anna
            let password = TestStore.password.replacing(" ", with: "+")
            return "email=\(account.email)&password=\(password)&decision=\(decision)"
        }

        var refusals: [String] { log.lines.filter { $0.hasPrefix("refused an offer") } }
    }

    private func withShop(
        _ engine: Engine, _ body: @Sendable @escaping (Shop, any TestClientProtocol) async throws -> Void
    ) async throws {
        try await engine.withDatabase { database in
            let log = RecordingLogHandler()
            let store = try await TestStore(database, log: log)
            try await store.sellMonthly()
            let anna = try await store.addAccount()
            let tablet = try await store.addDevice(2)
            try await tablet.buy("monthly", request: "anna", as: anna)
            let shop = Shop(
                store: store, seller: try await Signer(store), anna: anna,
                berta: try await store.addAccount("berta@example.com"), phone: try await store.addDevice(), log: log)
            try await store.withHTTP { client in try await body(shop, client) }
        }
    }

    @Test(
        "The page, the log and the app have the reason of a refusal, and nothing is charged",
        arguments: Engine.servers, Reason.allCases)
    func refused(engine: Engine, reason: Reason) async throws {
        try await withShop(engine) { shop, client in
            let asked = try await shop.ask(reason)
            let sheet = try shop.phone.token(asked.sheet)
            let page = try await client.get("/sheet/\(sheet)")
            #expect(page.status == .ok && page.text.contains("id=\"buy\"") && page.text.contains("id=\"cancel\""))
            let before = try await shop.store.ledger()
            try await shop.change(reason)

            let refused = try await client.post("/sheet/\(sheet)", shop.form(reason, "buy"))
            #expect(refused.status == .badRequest)
            #expect(refused.text.contains(reason.sentence), "\(refused.text)")
            #expect(shop.refusals.count == 1 && shop.refusals.allSatisfy { $0.contains(reason.sentence) })
            let failure = try await shop.phone.call(
                PaymentCall(
                    requestIdentifier: "r", bundleIdentifier: TestStore.bundleIdentifier,
                    productIdentifier: "monthly", quantity: 1)
            ).failure
            #expect(failure?.code == reason.code)
            #expect(failure?.message.contains(reason.sentence) == true)

            // The page is over: neither button does anything any more.
            for decision in ["cancel", "buy"] {
                let again = try await client.post("/sheet/\(sheet)", shop.form(reason, decision), headers: .script)
                #expect(again.status == .conflict && again.code == "sheet-used", "\(decision)")
                #expect(again.text.contains("Nothing was charged"), "\(decision)")
            }
            #expect(try await client.get("/sheet/\(sheet)").text.contains("Nothing was charged"))
            #expect(try await shop.store.ledger() == before)
            // The app's call was answered with the same refusal, and logged it again.
            #expect(Set(shop.refusals).count == 1)
        }
    }

    @Test(
        "A customer can cancel the page of an offer that would be refused", arguments: Engine.servers, Reason.allCases)
    func cancelled(engine: Engine, reason: Reason) async throws {
        try await withShop(engine) { shop, client in
            let sheet = try shop.phone.token(try await shop.ask(reason).sheet)
            try await shop.change(reason)
            let cancelled = try await client.post("/sheet/\(sheet)", "decision=cancel")
            #expect(cancelled.status == .ok && cancelled.text.contains("Nothing was charged"))
            let failure = try await shop.phone.call(
                PaymentCall(
                    requestIdentifier: "r", bundleIdentifier: TestStore.bundleIdentifier,
                    productIdentifier: "monthly", quantity: 1)
            ).failure
            #expect(failure?.code == .paymentCancelled)
            #expect(shop.refusals.isEmpty)
        }
    }

    @Test(
        "A request without an offer's values fails without a page, and the log has the reason",
        arguments: Engine.servers
    )
    func missing(engine: Engine) async throws {
        try await withShop(engine) { shop, _ in
            let answer = try await shop.phone.call(
                PaymentCall(
                    requestIdentifier: "r", bundleIdentifier: TestStore.bundleIdentifier,
                    productIdentifier: "monthly", quantity: 1,
                    discount: DiscountInfo(
                        identifier: "spring", keyIdentifier: "", nonce: "", signature: "", timestamp: 0)))
            #expect(answer.sheet == nil && answer.failure?.code == .missingOfferParams)
            #expect(shop.refusals.count == 1 && shop.refusals.allSatisfy { $0.contains("An offer needs") })
        }
    }
}

/// The server of a seller, which signs the offer `spring` as a JWS.
private struct Signer: Sendable {
    let store: TestStore
    let key = P256.Signing.PrivateKey()

    init(_ store: TestStore) async throws {
        self.store = store
        try await ManagingKeys(store.context).register(
            InAppPurchaseKey(
                identifier: "SELLER2026", name: "test", publicKey: key.publicKey.x963Representation,
                created: store.context.clock.now()))
    }

    /// The offer for the customer of a transaction, or for any.
    func offer(for transaction: String? = nil) throws -> DiscountInfo {
        var claims: [String: Any] = [
            "aud": "promotional-offer", "bid": TestStore.bundleIdentifier,
            "iat": store.context.clock.now().milliseconds / 1000, "nonce": UUID().uuidString.lowercased(),
            "productId": "monthly", "offerIdentifier": "spring",
        ]
        claims["transactionId"] = transaction
        let parts: [[String: Any]] = [["alg": "ES256", "typ": "JWT", "kid": "SELLER2026"], claims]
        let signed = try parts.map { try JSONSerialization.data(withJSONObject: $0).base64URLText }
            .joined(separator: ".")
        let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation.base64URLText
        return DiscountInfo(
            identifier: "spring", keyIdentifier: "", nonce: "", signature: "", timestamp: 0,
            token: "\(signed).\(signature)")
    }
}

extension TestStore {
    /// Sells a monthly magazine with a promotional and a win-back offer.
    fileprivate func sellMonthly(price: String = "4.99", hasOffers: Bool = true) async throws {
        func offer(_ name: String) -> String {
            """
            { "internalID" : "1", "offerID" : "\(name)", "referenceName" : "\(name)", "paymentMode" : "payAsYouGo",
              "subscriptionPeriod" : "P1M", "numberOfPeriods" : 2, "displayPrice" : "1.99" }
            """
        }
        let offers =
            hasOffers ? ", \"adHocOffers\" : [ \(offer("spring")) ], \"winbackOffers\" : [ \(offer("back")) ]" : ""
        let file = Self.catalogue.replacing(
            "\"version\" :",
            with: """
                "subscriptionGroups" : [ { "id" : "MAGAZINES", "name" : "Magazines", "localizations" : [],
                    "subscriptions" : [ { "productID" : "monthly", "referenceName" : "Monthly",
                    "displayPrice" : "\(price)", "type" : "RecurringSubscription",
                    "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1,
                    "subscriptionGroupID" : "MAGAZINES", "localizations" : []\(offers) } ] } ],
                "version" :
                """)
        let bundle = BundleIdentifier(Self.bundleIdentifier)
        try await ImportingCatalogue(context)(
            StoreKitConfigurationFile(Data(file.utf8), file: "magazines.storekit", bundleIdentifier: bundle),
            into: App(bundleIdentifier: bundle, name: "Fruit"))
    }
}
