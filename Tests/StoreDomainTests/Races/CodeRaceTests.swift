// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A code is redeemed while its batch is revoked, or while the same customer
/// redeems it on another device, on two nodes.
@Suite(.timeLimit(.hang))
struct CodeRaceTests {
    @Test("A customer who redeems a word on two devices at the same time gets it once", arguments: Engine.stores)
    func twoDevices(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            try await nodes.first.sellCodes()
            for round in 0..<(engine.isPostgreSQL ? 40 : 20) {
                let word = "WORD-\(round)"
                _ = try await nodes.first.codes(TestStore.custom(word, "any", limit: 5))
                let anna = try await nodes.first.subscriber(round)
                let there = Subscriber(
                    store: nodes.second, account: anna.account,
                    phone: try await nodes.second.addDevice(UInt8(100 + round)))
                let (here, far) = (try await anna.codeSheet(), try await there.codeSheet())

                async let one = redeem(word, here, anna, after: round % 5)
                async let other = redeem(word, far, there, after: round / 5 % 5)
                let errors = try await [one, other]

                try #require(errors.filter { $0 == nil }.count == 1, "round \(round): \(errors)")
                try #require(errors.contains(.codeRedeemed), "round \(round): \(errors)")
                let numbers = try await ManagingCodes(nodes.first.context).redeemed(word).numbers
                try #require(numbers == [0: 1], "round \(round): \(numbers)")
                let paid = try await nodes.first.amounts(of: anna.account.identifier)
                try #require(paid == [990], "round \(round): \(paid)")
            }
            try await nodes.first.checkMoney()
        }
    }

    /// Either may come first; the revocation counts every redemption.
    @Test("A code is redeemed before its batch is revoked, or not at all", arguments: Engine.stores)
    func revoked(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            try await nodes.first.sellCodes()
            for round in 0..<(engine.isPostgreSQL ? 60 : 30) {
                let batch = "b\(round)"
                let code = try #require(
                    try await nodes.first.codes(TestStore.order("any", batch: batch, size: 1)).first)
                let anna = try await nodes.first.subscriber(round)
                let sheet = try await anna.codeSheet()

                async let refusal = redeem(code, sheet, anna, after: round % 6)
                async let counted = revoke(batch, nodes.second, after: 6 + round / 6)
                let (error, redemptions) = try await (refusal, counted)

                try #require(error == nil || error == .codeRevoked, "round \(round): \(String(describing: error))")
                let expected = error == nil ? 1 : 0
                try #require(redemptions == expected, "round \(round): the revocation has counted \(redemptions)")
                let numbers = try await ManagingCodes(nodes.first.context).redeemed(batch).numbers
                try #require(numbers == (error == nil ? [0: 1] : [:]), "round \(round): \(numbers)")
                let purchases = try await nodes.first.count(
                    "purchase", where: "account_id = '\(anna.account.identifier)'")
                try #require(purchases == expected, "round \(round): \(purchases) purchases")
            }
            try await nodes.first.checkMoney()
        }
    }

    /// Redeems a code; returns the error with which it is refused.
    private func redeem(
        _ code: String, _ sheet: String, _ customer: Subscriber, after reads: Int
    ) async throws -> DomainError.Code? {
        try await customer.store.readTimes(reads)
        return try await customer.refusal(of: code, onSheet: sheet)
    }

    /// Revokes a batch; returns the redemptions that it had then.
    private func revoke(_ batch: String, _ store: TestStore, after reads: Int) async throws -> Int {
        try await store.readTimes(reads)
        return try await ManagingCodes(store.context).revoke(batch).redemptions
    }
}
