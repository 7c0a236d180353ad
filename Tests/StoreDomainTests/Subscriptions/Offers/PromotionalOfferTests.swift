// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Crypto
import Foundation
import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Offers that the seller's server signs for present and former subscribers.
@Suite(.timeLimit(.hang))
struct PromotionalOfferTests {
    private static let start = "2026-01-10 20:00:00"

    @Test("A former subscriber comes back for two cheap months", arguments: Engine.stores)
    func formerSubscriber(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-03-01 00:00:00")

            try await anna.buy("plain", seller.discount())
            try await anna.advance(to: "2026-05-02 00:00:00")

            #expect(try await anna.ledger() == [5990, 1990, 1990, 5990])
            #expect(try await anna.offers() == ["plain", "plain 1/2", "plain 2/2", "plain"])
            let listed = try await anna.contents(of: anna.receipt()).inAppPurchases
            #expect(listed.map(\.promotionalOfferIdentifier) == [nil, "spring", "spring", nil])
            #expect(listed.allSatisfy { $0.isTrialPeriod == false && $0.isInIntroductoryPricePeriod == false })
            try await store.checkMoney()
        }
    }

    @Test("For a present subscriber the offer begins with the next period", arguments: Engine.stores)
    func presentSubscriber(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            let bought = try await anna.buy("plain")

            let answered = try await anna.buy("plain", seller.discount(offer: "free"))
            #expect(answered?.transactionIdentifier == bought.transactionIdentifier)
            #expect(try await anna.ledger() == [5990])
            #expect(try await anna.renewals(of: anna.receipt()) == ["plain renews with free"])
            #expect(
                try await anna.advance(to: "2026-02-25 00:00:00") == [
                    "2026-02-09 20:00:00 authorised", "2026-02-10 20:00:00 renewed plain",
                    "2026-02-23 20:00:00 authorised", "2026-02-24 20:00:00 renewed plain",
                ])
            #expect(try await anna.ledger() == [5990, 0, 5990])
            #expect(try await anna.offers() == ["plain", "plain 1/1", "plain"])
        }
    }

    @Test("An upgrade with an offer begins now, at the offer's price", arguments: Engine.stores)
    func upgrade(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            try await anna.advance(to: "2026-01-12 00:00:00")
            try await anna.buy("large", seller.discount("large"))
            try await store.recover()
            #expect(try await anna.offers() == ["plain", "large 1/2"])
            #expect(try await anna.ledger().sorted().last == 5990)
            #expect(try await anna.ledger().contains(1990))
        }
    }

    @Test("Each changed field is refused with its own reason", arguments: Engine.stores)
    func changedFields(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let other = try await Seller(store, "OTHER12345")
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            func refusal(
                _ username: String? = nil, _ change: (inout OfferSignature) -> Void
            ) async throws -> String {
                let discount = try seller.discount(seller.values(username: username ?? ""), signed: change)
                let failure = try await anna.ask("plain", discount, username: username).failure
                #expect(failure?.code == .invalidSignature)
                return failure?.message ?? ""
            }
            #expect(try await refusal { $0.productIdentifier = "large" }.contains("for the product \"large\""))
            #expect(try await refusal { $0.offerIdentifier = "free" }.contains("for the offer \"free\""))
            #expect(try await refusal("anna") { $0.username = "" }.contains("without a user name"))
            #expect(try await refusal { $0.timestamp /= 1000 }.contains("in seconds"))
            #expect(try await refusal { $0.nonce = $0.nonce.uppercased() }.contains("lower case"))
            #expect(try await refusal { $0.bundleIdentifier = "com.example.none" }.contains("isn't one of"))
            #expect(try await refusal { $0.nonce = UUID().uuidString.lowercased() }.contains("isn't one of"))
            #expect(try await refusal("anna") { $0.username = "ben" }.contains("isn't one of"))

            var discount = try other.discount(seller.values())
            #expect(try await anna.ask(discount).failure?.message.contains("the key OTHER12345") == true)
            discount.keyIdentifier = "NONE"
            #expect(try await anna.ask(discount).failure?.message.contains("\"NONE\"") == true)
            discount.signature = "no"
            #expect(try await anna.ask(discount).failure?.message.contains("base64") == true)
            discount.identifier = "none"
            #expect(try await anna.ask(discount).failure?.code == .invalidOfferIdentifier)
            discount.signature = ""
            #expect(try await anna.ask(discount).failure?.code == .missingOfferParams)
            #expect(try await anna.ask(seller.discount(offer: "dear")).failure?.code == .invalidOfferPrice)
            #expect(try await anna.ask("small", seller.discount("small")).failure?.code == .invalidOfferIdentifier)
        }
    }

    @Test("A signature is valid for 24 hours", arguments: Engine.stores)
    func age(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            func answer(hours: Int64) async throws -> String? {
                var values = seller.values()
                values.timestamp -= hours * 60 * 60 * 1000
                return try await anna.ask(seller.discount(values)).failure?.message
            }
            #expect(try await answer(hours: 24) == nil)
            #expect(try await answer(hours: 25)?.contains("older than 24 hours") == true)
            #expect(try await answer(hours: -2)?.contains("in the future") == true)
        }
    }

    @Test("A nonce serves one request, which may be repeated", arguments: Engine.stores)
    func nonce(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            let discount = try seller.discount()
            let first = try await anna.ask("plain", discount, request: "r")
            #expect(first.status == .authorise)
            #expect(try await anna.ask("plain", discount, request: "r") == first)
            let replayed = try await anna.ask("plain", discount, request: "s").failure
            #expect(replayed?.code == .invalidSignature)
            #expect(replayed?.message.contains("used already") == true)
        }
    }

    @Test("A request whose row was written before win-back offers has a promotional offer", arguments: Engine.stores)
    func earlierRow(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-03-01 00:00:00")
            let discount = try seller.discount()
            let token = try anna.phone.token(try await anna.ask("plain", discount, request: "r").sheet)
            try await store.context.database.write { connection in
                try connection.run("UPDATE request SET discount = replace(discount, '\"kind\":\"promotional\",', '')")
            }
            #expect(try await store.count("request", where: "discount LIKE '%spring%'") == 1)
            #expect(try await store.count("request", where: "discount LIKE '%kind%'") == 0)

            // The repeated request asks for the same payment.
            #expect(try await anna.ask("plain", discount, request: "r").status == .authorise)
            _ = try await store.service.buy(onSheet: token, as: anna.account, shown: nil)
            #expect(try await anna.ledger() == [5990, 1990])
        }
    }

    @Test("An account without a subscription isn't entitled to an offer", arguments: Engine.stores)
    func ineligible(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            #expect(try await anna.ask(seller.discount()).failure?.code == .ineligibleForOffer)

            // The account may be known only when the sheet is confirmed.
            let ben = try await store.subscriber(1, at: Self.start)
            try await ben.buy("plain")
            let token = try ben.phone.token(try await ben.ask("plain", seller.discount(), request: "r").sheet)
            let bought = try await store.service.buy(onSheet: token, as: anna.account, shown: nil)
            #expect(bought.failure?.code == .ineligibleForOffer)
            #expect(try await anna.ledger() == [5990])
        }
    }

    @Test("An offer that is removed after it was signed is refused, and costs nothing", arguments: Engine.stores)
    func removed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-03-01 00:00:00")
            let token = try anna.phone.token(try await anna.ask("plain", seller.discount(), request: "r").sheet)
            try await store.sellOffers(hasPromotions: false)
            let refused = try await store.service.buy(onSheet: token, as: anna.account, shown: nil)
            #expect(refused.failure?.code == .invalidOfferIdentifier)
            #expect(try await anna.ledger() == [5990])
        }
    }

    @Test("The log has the reason of a refused request, and of a refusal on the sheet", arguments: Engine.stores)
    func logged(engine: Engine) async throws {
        try await engine.withDatabase { database in
            let log = RecordingLogHandler()
            let store = try await TestStore(database, log: log)
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            func refusals() -> [String] { log.lines.filter { $0.hasPrefix("refused an offer") } }
            #expect(try await anna.ask(seller.discount()).failure?.code == .ineligibleForOffer)
            #expect(refusals().count == 1 && refusals()[0].contains("This account has had none"))

            try await anna.buy("plain")
            let token = try anna.phone.token(try await anna.ask("plain", seller.discount(), request: "r").sheet)
            try await store.sellOffers(hasPromotions: false)
            _ = try await store.service.buy(onSheet: token, as: anna.account, shown: nil)
            #expect(refusals().count == 2 && refusals()[1].contains("has no promotional offer \"spring\""))
        }
    }

    @Test("A revoked key signs nothing more", arguments: Engine.stores)
    func revoked(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            try await ManagingKeys(store.context).revoke(seller.identifier)
            try await ManagingKeys(store.context).revoke(seller.identifier)
            let failure = try await anna.ask(seller.discount()).failure
            #expect(failure?.code == .invalidSignature)
            #expect(failure?.message.contains("revoked") == true)
            await #expect(throws: DomainError(.notFound, "")) {
                try await ManagingKeys(store.context).revoke("NONE")
            }
        }
    }

    @Test("The key of a configuration file signs for its app")
    func keyOfAFile() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.sellOffers()
            let key = P256.Signing.PrivateKey()
            let pair = """
                "subscriptionOffersKeyPair" : { "id" : "5509FCF1",
                  "privateKey" : "\(key.derRepresentation.base64EncodedString())" }, "version" :
                """
            try await store.sell(TestStore.catalogue.replacing("\"version\" :", with: pair))
            let keys = try await ManagingKeys(store.context)()
            #expect(keys.map(\.identifier) == ["5509FCF1"])
            #expect(keys.map(\.bundleIdentifier) == [BundleIdentifier(TestStore.bundleIdentifier)])
            #expect(keys.map(\.publicKey) == [key.publicKey.x963Representation])

            // It stays revoked when the file is imported again, also after a file without it. A valid key goes with its
            // line in the file.
            try await ManagingKeys(store.context).revoke("5509FCF1")
            let edited = TestStore.catalogue.replacing("0.99", with: "1.99")
            try await store.sell(edited.replacing("\"version\" :", with: pair))
            #expect(try await ManagingKeys(store.context)().map { $0.revoked != nil } == [true])
            try await store.sell(TestStore.catalogue)
            try await store.sell(edited.replacing("\"version\" :", with: pair))
            #expect(try await ManagingKeys(store.context)().map { $0.revoked != nil } == [true])
            let second = P256.Signing.PrivateKey().derRepresentation.base64EncodedString()
            let other = pair.replacing("5509FCF1", with: "SECOND")
                .replacing(key.derRepresentation.base64EncodedString(), with: second)
            try await store.sell(TestStore.catalogue.replacing("\"version\" :", with: other))
            #expect(try await ManagingKeys(store.context)().map { $0.revoked == nil } == [false, true])
            try await store.sell(TestStore.catalogue)
            #expect(try await ManagingKeys(store.context)().map(\.identifier) == ["5509FCF1"])
        }
    }

    @Test("The signed bytes are those of Apple's documentation")
    func bytes() {
        let values = OfferSignature(
            bundleIdentifier: "com.example", keyIdentifier: "KEY", productIdentifier: "product",
            offerIdentifier: "offer", username: "", nonce: "8aa0c8d4-5d5e-4b39-9b22-5a4f0c61a8a1",
            timestamp: 1_700_000_000_000)
        let separator = "\u{2063}"
        #expect(
            String(decoding: values.bytes, as: UTF8.self)
                == [
                    "com.example", "KEY", "product", "offer", "", "8aa0c8d4-5d5e-4b39-9b22-5a4f0c61a8a1",
                    "1700000000000",
                ]
                .joined(separator: separator))
    }
}
