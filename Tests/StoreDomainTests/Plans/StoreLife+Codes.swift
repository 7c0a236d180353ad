// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport
import Testing

extension StoreLife {
    /// Codes are made, listed, redeemed, refused, given back and revoked.
    func redeemCodes() async throws {
        try await store.sellCodes()
        let any = try await store.codes(TestStore.order("any", batch: "life-any"))
        let stay = try await store.codes(TestStore.order("stay", batch: "life-stay"))
        _ = try await store.codes(TestStore.custom("LIFE", "any", of: "large", limit: 5))
        let emma = try await store.subscriber(23, at: "2026-01-10 20:00:00")
        let sheet = try await emma.codeSheet()
        #expect(try await emma.refusal(of: "ABCDEFGHJKLMNPQRST", onSheet: sheet) == .codeUnknown)
        store.cardLimit.milliunits = 0
        #expect(try await emma.refusal(of: any[0], onSheet: sheet) == .declined)
        store.cardLimit.milliunits = .max
        try await emma.redeem(any[0], onSheet: sheet)
        try await emma.redeem(stay[0])
        let codes = ManagingCodes(store.context)
        _ = try await codes.redeemed("life-any")
        _ = try await codes.revoke("life-any")
        #expect(try await codes(of: BundleIdentifier(TestStore.bundleIdentifier)).count == 3)
    }
}
