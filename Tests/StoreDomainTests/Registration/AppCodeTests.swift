// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Codes that teams make in Connect.
struct AppCodeTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    private func promo(_ count: String = "2", product: String = "apple") -> CodeValues {
        var values = CodeValues()
        (values.product, values.name, values.count) = (product, "Press", count)
        return values
    }

    private func codes(_ batch: String, _ store: TestStore, _ user: TeamUser) async throws -> [String] {
        let table = try await store.service.makingAppCodes().contents(of: batch, of: Self.app, as: user)
        return try CSVText.records(of: String(decoding: table, as: UTF8.self)).dropFirst().map { $0.cells[0] }
    }

    private func problems(_ body: () async throws -> Void) async throws -> [String] {
        do {
            try await body()
            return []
        } catch let error as InvalidFields {
            return error.problems.map { "\($0.field) \($0.kind.rawValue)" }
        }
    }

    @Test("A promo code gives the product for nothing, once, and its batch can be revoked", arguments: Engine.stores)
    func promo(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let marketing = try await store.addUser(.marketing, to: holder)
            let making = try store.service.makingAppCodes()
            let batch = try await making(promo(), isWord: false, of: Self.app, by: marketing)
            let drawn = try await codes(batch, store, holder)
            #expect(Set(drawn).count == 2 && drawn.allSatisfy { $0.count == 18 })
            let anna = try await store.subscriber()
            try await anna.redeem(drawn[0], onSheet: try await anna.codeSheet())
            #expect(try await store.ledger() == [0])
            let listed = try await making.batches(of: Self.app, as: holder)
            #expect(listed.entries.map(\.batch.redemptions) == [1] && listed.entries.map(\.hasCodes) == [true])
            try await making.revoke(batch, of: Self.app, by: holder)
            try await making.revoke(batch, of: Self.app, by: holder)
            let berta = try await store.subscriber(1)
            #expect(try await berta.refusal(of: drawn[1]) == .codeRevoked)
            let log = try await store.service.teamReader.changes(containing: "Press", as: holder).entries
            #expect(log.map(\.kind) == [.codesRevoked, .codesMade])
        }
    }

    @Test("Codes can be downloaded for a day, and the store has only their hashes afterwards", arguments: Engine.stores)
    func day(engine: Engine) async throws {
        let clock = TestClock()
        try await engine.withStore(clock: clock) { store in
            let holder = try await store.setUpTeam()
            let making = try store.service.makingAppCodes()
            let batch = try await making(promo(), isWord: false, of: Self.app, by: holder)
            #expect(try await codes(batch, store, holder).count == 2)
            clock.advance(by: CodeSeed.lifetime)
            await #expect(throws: DomainError.self) { try await codes(batch, store, holder) }
            #expect(try await making.batches(of: Self.app, as: holder).entries.map(\.hasCodes) == [false])
        }
    }

    @Test("Values that can't be saved are named, and the limits of promo codes hold", arguments: Engine.stores)
    func limits(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let making = try store.service.makingAppCodes()
            func found(_ values: CodeValues, isWord: Bool = false) async throws -> [String] {
                try await problems { _ = try await making(values, isWord: isWord, of: Self.app, by: holder) }
            }
            var values = promo("101")
            (values.name, values.lastDay) = ("", "2026-02-30")
            #expect(try await found(values) == ["name missing", "lastDay malformed", "count out-of-range"])
            #expect(try await found(promo(product: "kiwi")) == ["product unknown"])
            values = promo()
            values.offer = "spring"
            #expect(try await found(values) == ["offer unknown"])
            #expect(try await found(promo(), isWord: true) == ["offer missing", "word missing", "limit missing"])
            await #expect(throws: DomainError.self) {
                _ = try await making(promo(), isWord: false, of: Self.app, by: other)
            }
            _ = try await making(promo("100"), isWord: false, of: Self.app, by: holder)
            do {
                _ = try await making(promo("1"), isWord: false, of: Self.app, by: holder)
                Issue.record("A product has 101 promo codes.")
            } catch let error as DomainError {
                #expect(error.code == .invalid)
            }
            #expect(try await store.count("offer_code") == 100)
            #expect(try await store.count("offer_code_seed") == 1)
        }
    }

    @Test("A word belongs to one batch, and is redeemed as often as its limit", arguments: Engine.stores)
    func word(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            var offer = OfferValues(kind: "code")
            (offer.identifier, offer.mode) = ("spring", "free")
            let version = try await store.registration("apple", as: holder).version
            try await store.service.registeringOffer().add(
                offer, to: "apple", of: Self.app, version: version, by: holder)
            var values = promo("")
            (values.offer, values.word, values.limit, values.lastDay) = ("spring", "spring-26", "1", "2100-01-01")
            let making = try store.service.makingAppCodes()
            let batch = try await making(values, isWord: true, of: Self.app, by: holder)
            #expect(try await making.batches(of: Self.app, as: holder).entries.map(\.hasCodes) == [false])
            await #expect(throws: DomainError.self) { try await codes(batch, store, holder) }
            let again = try await problems { _ = try await making(values, isWord: true, of: Self.app, by: holder) }
            #expect(again == ["word taken"])
            let anna = try await store.subscriber()
            try await anna.redeem("SPRING-26", onSheet: try await anna.codeSheet())
            let berta = try await store.subscriber(1)
            #expect(try await berta.refusal(of: "SPRING-26") == .codeUsed)
        }
    }

    @Test("A batch whose process dies can't be used, and is completed with the same codes", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let mortal = MortalDatabase(database)
            let dying = try await TestStore(mortal, faults: { if $0 == "codes:page" { mortal.die() } })
            let holder = try await dying.setUpTeam()
            _ = try? await dying.service.makingAppCodes()(promo(), isWord: false, of: Self.app, by: holder)
            #expect(mortal.isDead)

            let store = try await TestStore(Forgetful(database), seed: 8)
            let making = try store.service.makingAppCodes()
            let listed = try #require(try await making.batches(of: Self.app, as: holder).entries.first)
            #expect(!listed.batch.isComplete && listed.hasCodes)
            let batch = listed.batch.identifier
            await #expect(throws: DomainError.self) { try await codes(batch, store, holder) }
            try await making.complete(batch, of: Self.app, by: holder)
            try await making.complete(batch, of: Self.app, by: holder)
            let drawn = try await codes(batch, store, holder)
            let anna = try await TestStore(database, seed: 9).subscriber()
            try await anna.redeem(drawn[0], onSheet: try await anna.codeSheet())
            #expect(try await store.count("offer_code") == 2)
            #expect(
                try await store.service.teamReader.changes(as: holder).entries.map(\.kind) == [.codesMade, .teamSetUp])
        }
    }

    @Test("A call that names its batch makes the codes once, also after an interruption", arguments: Engine.stores)
    func named(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let mortal = MortalDatabase(database)
            let dying = try await TestStore(mortal, faults: { if $0 == "codes:page" { mortal.die() } })
            let holder = try await dying.setUpTeam()
            var values = promo()
            values.batch = "00112233445566aa"
            _ = try? await dying.service.makingAppCodes()(values, isWord: false, of: Self.app, by: holder)
            #expect(mortal.isDead)

            let store = try await TestStore(Forgetful(database), seed: 8)
            let making = try store.service.makingAppCodes()
            for _ in 0..<2 {
                let batch = try await making(values, isWord: false, of: Self.app, by: holder)
                #expect(batch == "00112233445566aa")
            }
            #expect(try await codes(values.batch, store, holder).count == 2)
            #expect(try await store.count("offer_code") == 2)
            #expect(
                try await store.service.teamReader.changes(as: holder).entries.map(\.kind) == [.codesMade, .teamSetUp])
            for (batch, problem) in [("00112233445566aa", "batch taken"), ("00112233445566AA", "batch malformed")] {
                var other = promo("3")
                other.batch = batch
                let refused = other
                let found = try await problems {
                    _ = try await making(refused, isWord: false, of: Self.app, by: holder)
                }
                #expect(found == [problem])
            }
        }
    }

    @Test("The list has the newest batches first, in pages", arguments: Engine.stores)
    func pages(engine: Engine) async throws {
        let clock = TestClock()
        try await engine.withStore(clock: clock) { store in
            let holder = try await store.setUpTeam()
            let making = try store.service.makingAppCodes()
            var made: [String] = []
            for _ in 0..<(MakingAppCodes.pageSize + 2) {
                clock.advance(by: .seconds(1))
                made.append(try await making(promo("1"), isWord: false, of: Self.app, by: holder))
            }
            let first = try await making.batches(of: Self.app, as: holder)
            let second = try await making.batches(of: Self.app, before: first.next ?? "", as: holder)
            #expect((first.entries + second.entries).map(\.batch.identifier) == made.reversed())
            #expect(second.next == nil && second.entries.count == 2)
        }
    }
}
