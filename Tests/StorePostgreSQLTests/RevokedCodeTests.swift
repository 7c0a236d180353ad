// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StorePostgreSQL
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// A node revokes a batch of codes between two statements of a redemption on
/// another node.
@Suite(.enabled(if: TestCluster.url != nil, "there is no PostgreSQL"))
struct RevokedCodeTests {
    /// A statement of a redemption, before which the batch is revoked.
    struct Place: Sendable, CustomTestStringConvertible {
        var statement: String
        /// Whether the redemption comes first.
        var isRedeemed: Bool

        var testDescription: String { statement }
    }

    @Test(
        "The revocation comes before the redemption, or waits for it and counts it",
        arguments: [
            Place(statement: "SELECT batch_id, uses, uses_limit FROM offer_code", isRedeemed: false),
            Place(statement: "UPDATE sheet", isRedeemed: false),
            Place(statement: "UPDATE offer_code_batch", isRedeemed: false),
            Place(statement: "UPDATE offer_code SET", isRedeemed: true),
            Place(statement: "INSERT INTO code_redemption", isRedeemed: true),
        ])
    func revoked(place: Place) async throws {
        let url = try TestCluster.makeDatabase()
        defer { try? TestCluster.removeDatabase(url) }
        let (first, second) = (try open(url), try open(url))
        let hooked = HookedDatabase(first) { if case .account = $0 { true } else { false } }
        let clock = TestClock()
        let store = try await TestStore(hooked, clock: clock, seed: 7)
        let other = try await TestStore(second, clock: clock, seed: 8)
        try await store.sellWeekly(code: "WELCOME26")
        let anna = try await store.addAccount()
        let phone = try await store.addDevice()
        let sheet = try phone.token(
            try await phone.call(
                RedemptionCall(requestIdentifier: "1", bundleIdentifier: TestStore.bundleIdentifier)
            ).sheet)

        let counted = Mutex<Int?>(nil)
        let wasReached = try await hooked.interpose(before: place.statement, of: url) {
            let listed = try await ManagingCodes(other.context).revoke("welcome")
            counted.withLock { $0 = listed.redemptions }
        } during: {
            _ = try await store.service.redeem("WELCOME26", onSheet: sheet, as: anna, shown: nil)
        }

        #expect(wasReached)
        let expected = place.isRedeemed ? 1 : 0
        #expect(counted.withLock { $0 } == expected)
        #expect(try await store.count("offer_code", where: "uses = \(expected)") == 1)
        #expect(try await store.count("code_redemption") == expected)
        #expect(try await store.count("purchase") == expected)
        #expect(try await store.count("sheet", where: "status = 'open'") == 1 - expected)
        try first.close()
        try second.close()
    }
}
