// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

extension StoreLife {
    /// A family whose child asks to buy, with each answer.
    func raise() async throws {
        let home = try await Household(in: store)
        try await home.approve(try await home.ask("juice", request: "approved"), by: home.olga)
        try await store.service.decline(try await home.ask("juice", request: "declined"), by: home.paul)
        _ = try await home.ask("juice", request: "grown up")
        await store.service.notifyParents()
        await store.service.endUnansweredRequests()
        try await store.sellShared()
        let tablet = TestDevice(number: 12, store: store)
        let apple = try await tablet.buy("apple", request: "shared", as: home.paul)
        _ = try await tablet.buy("club", request: "club", as: home.paul)
        await store.service.sharePurchases()
        try await verifySharedReceipt(of: home.phone)
        let share = try await unrecorded.read { connection -> String? in
            try connection.row(
                "SELECT transaction_id FROM purchase WHERE shared_by IS NOT NULL AND product_id = 'apple'"
            )?.get("transaction_id")
        }
        try await store.service.revoke(TransactionIdentifier(try #require(share)))
        let club = try #require(try await store.service.managedSubscriptions(of: home.paul).first).subscription
        try await store.service.setSharing(false, of: club.original, account: home.paul)
        try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
        _ = try await store.service.move(clockOf: home.paul.email, .later(try ClockDuration("1mo")))
        _ = try await store.service.move(clockOf: home.olga.email, .by(.seconds(1)))
        _ = try await store.families.setRole(.adult, of: home.carl.email)
        _ = try await store.families.remove(home.carl.email)
        try await store.families.end(organiser: home.olga.email)
        await store.service.sharePurchases()
    }

    /// Looks up the newest periods of a device whose account has them from
    /// another member.
    private func verifySharedReceipt(of phone: TestDevice) async throws {
        let receipt = try #require(try await phone.receiptAnswer().receipt.flatMap { Data(base64Encoded: $0) })
        let found = try await LookingUpReceipt(store.context, authority: try TestStore.authority.get())(
            UnverifiedAppReceipt(parsing: receipt).contents, extent: .newestPeriods)
        #expect(found.history?.transactions.map(\.productIdentifier) == ["apple", "club", "juice"])
    }
}
