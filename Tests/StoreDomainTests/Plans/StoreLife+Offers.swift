// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

extension StoreLife {
    /// A subscription that begins with an introductory offer and comes back
    /// with a promotional one, after a signature that is refused. It may have
    /// no win-back offer. The keys are those of a seller and of a
    /// configuration file.
    func offer() async throws {
        try await store.sellOffers(hasWinBack: true, hasKey: true)
        let seller = try await Seller(store)
        let dora = try await store.subscriber(22, at: "2026-01-10 20:00:00")
        try await dora.buy("large")
        try await dora.setRenewal(false)
        try await dora.advance(to: "2026-03-01 00:00:00")
        let wrong = try seller.discount(seller.values("large"), signed: { $0.nonce = "" })
        #expect(try await dora.ask("large", wrong).failure != nil)
        try await dora.buy("large", seller.discount("large"))
        #expect(try await dora.offers() == ["large 1/3", "large 1/2"])
        let winBacks = try await FindingWinBackOffers(store.context)(
            of: "plain", in: BundleIdentifier(TestStore.bundleIdentifier), for: dora.account.identifier)
        #expect(winBacks.isEmpty)
        let keys = ManagingKeys(store.context)
        try await keys.revoke(seller.identifier)
        let revoked = try await keys().filter { $0.revoked != nil }.map(\.identifier)
        #expect(revoked == [seller.identifier])
    }
}
