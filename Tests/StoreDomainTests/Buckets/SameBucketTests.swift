// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport
import Testing

/// Accounts of one bucket.
struct SameBucketTests {
    @Test("An account changes no subscription of another one in its bucket", arguments: Engine.stores)
    func subscriptions(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            try await anna.buy("weekly")
            let original = try await anna.subscription().subscription.original
            let owner = anna.account.identifier
            let other = AccountIdentifier(owner.rawValue.prefix(4) + String(repeating: "0", count: 28))
            #expect(other.bucket == owner.bucket && other != owner)

            await #expect(throws: DomainError(.notFound, "")) {
                try await SettingRenewal(store.context)(false, of: original, account: other)
            }
            await #expect(throws: DomainError(.notFound, "")) {
                try await SettingFamilySharing(store.context)(false, of: original, account: other)
            }
            #expect(try await anna.subscription().state.renews)
        }
    }
}
