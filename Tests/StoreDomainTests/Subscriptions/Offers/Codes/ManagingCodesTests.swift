// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreTestSupport
import Testing

/// Sellers make batches of codes.
struct ManagingCodesTests {
    @Test("A code has 18 capital letters and digits, the same for the same seed")
    func text() {
        let seed = Data(0..<32)
        let code = OfferCodeText(seed: seed, batch: "b", number: 4).text
        #expect(code.count == 18)
        #expect(code.allSatisfy { "ABCDEFGHJKLMNPQRSTUVWXYZ23456789".contains($0) })
        #expect(OfferCodeText(seed: seed, batch: "b", number: 4).text == code)
        #expect(OfferCodeText(seed: seed, batch: "b", number: 5).text != code)
        #expect(OfferCodeText(seed: seed, batch: "c", number: 4).text != code)
        #expect(OfferCodeText(typed: " \(code.lowercased().prefix(6)) \(code.dropFirst(6))\n")?.text == code)
        for typed in ["", "ABC", "AB_CD", String(repeating: "A", count: 65), "ÄBCD"] {
            #expect(OfferCodeText(typed: typed) == nil)
        }
    }

    @Test("An order beyond the limits is refused")
    func limits() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.sellCodes()
            func refusal(_ order: ManagingCodes.Order) async throws -> DomainError.Code? {
                do { _ = try await store.codes(order) } catch let error as DomainError { return error.code }
                return nil
            }
            let month: Duration = .seconds(31 * 86_400)
            let now = store.context.clock.now()
            #expect(try await refusal(TestStore.order("any", size: 25_001)) == .invalid)
            #expect(try await refusal(TestStore.order("any", size: 0)) == .invalid)
            #expect(try await refusal(TestStore.order("none")) == .notFound)
            #expect(try await refusal(TestStore.order("any", of: "none")) == .notFound)
            #expect(try await refusal(TestStore.order("any", expires: now)) == .invalid)
            #expect(try await refusal(TestStore.order("any", expires: now + month * 7)) == .invalid)
            #expect(try await refusal(TestStore.order(nil, expires: now + month)) == .invalid)
            #expect(try await refusal(TestStore.custom("ABC", "any", limit: 1)) == .invalid)
            #expect(try await refusal(TestStore.custom("ABCD", "any", limit: 0)) == .invalid)
            #expect(try await refusal(TestStore.order("any")) == nil)
            #expect(try await refusal(TestStore.order("any", size: 4)) == .exists)
            #expect(try await refusal(TestStore.custom("ABCD", "any", limit: 999_997)) == nil)
            #expect(try await refusal(TestStore.order("any", batch: "more", size: 1)) == .quotaExceeded)
            var again = TestStore.custom("abcd", "any", limit: 1)
            again.batch = "again"
            #expect(try await refusal(again) == .exists)

            #expect(try await refusal(TestStore.order(nil, batch: "p1", size: 100)) == nil)
            #expect(try await refusal(TestStore.order(nil, batch: "p2", size: 1)) == .quotaExceeded)
            #expect(try await refusal(TestStore.order(nil, of: "water", batch: "p3", size: 1)) == nil)
            // On 1 July the quarter and the half-year are others.
            store.clock.advance(by: .seconds(181 * 86_400))
            #expect(try await refusal(TestStore.order(nil, batch: "p2", size: 1)) == nil)
            #expect(try await refusal(TestStore.order("any", batch: "more", size: 1)) == nil)
        }
    }

    @Test("An app has 1,000 promo codes in half a year, and each is valid for 28 days")
    func promos() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let glasses = (1...11).map { number in
                """
                { "displayPrice" : "0.89", "familyShareable" : false, "internalID" : "9\(number)",
                  "productID" : "glass\(number)", "referenceName" : "Glass", "type" : "Consumable",
                  "localizations" : [] },
                """
            }
            try await store.sell(
                TestStore.catalogue.replacing("\"products\" : [", with: "\"products\" : [ \(glasses.joined())"))
            var codes: [String] = []
            for number in 1...10 {
                codes = try await store.codes(
                    TestStore.order(nil, of: "glass\(number)", batch: "b\(number)", size: 100))
            }
            let more = TestStore.order(nil, of: "glass11", batch: "b11", size: 1)
            await #expect(throws: DomainError(.quotaExceeded, "")) { _ = try await store.codes(more) }

            let anna = try await store.subscriber()
            store.clock.advance(by: .seconds(28 * 86_400 - 1))
            #expect(try await anna.refusal(of: codes[0]) == nil)
            store.clock.advance(by: .seconds(1))
            #expect(try await anna.refusal(of: codes[1]) == .codeExpired)
        }
    }
}
