// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

extension StoreLife {
    /// A team lists, searches, opens and refunds a purchase, and sends a
    /// notification of it again.
    func seePurchases(as holder: TeamUser) async throws {
        let (service, app) = (store.service, BundleIdentifier(TestStore.bundleIdentifier))
        let purchases = service.teamPurchases
        _ = try await purchases.listedApps(as: holder)
        var filter = TeamPurchaseFilter()
        filter.app = app
        filter.state = .unfinished
        _ = try await purchases(filter, as: holder)
        filter.state = nil
        let newest = try #require(try await purchases(filter, as: holder).entries.first)
        #expect(try await purchases(filter, by: .oldest, as: holder).entries.first != newest)
        for text in [newest.transactionIdentifier.rawValue, "anna@example.com"] {
            #expect(try await !purchases.search(text, as: holder).isEmpty)
        }
        let customer = try await store.addAccount("seen@example.com")
        let device = try await store.addDevice(99)
        let bought = TransactionIdentifier(
            try await device.buy("juice", request: "seen", as: customer).transactionIdentifier)
        try await SettingAccountToken(store.context)(
            "7f1c2e52-98a5-4d2b-9d8c-3c3f1a2b4c5d", of: bought, in: app)
        #expect(try await purchases.search("7f1c2e52-98a5-4d2b-9d8c-3c3f1a2b4c5d", as: holder).count == 1)
        _ = try await service.purchaseRecord(bought, as: holder)
        try await service.refund(
            bought, amount: "", identifier: service.drawRefundIdentifier(), by: holder)
        await #expect(throws: DomainError(.notFound, "")) {
            try await service.resend("none", about: bought, by: holder)
        }
    }
}
