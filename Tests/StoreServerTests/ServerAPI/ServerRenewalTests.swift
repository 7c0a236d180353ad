// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The renewals of the App Store Server API.
@Suite(.timeLimit(.minutes(15)))
struct ServerRenewalTests {
    /// The status of the only subscription, and its renewal.
    private func renewal(_ first: String, _ seller: ServerSeller) async throws -> (Int, RenewalInfoPayload) {
        let answer = try await seller.answer("v1/subscriptions/\(first)")
        let group = try #require((answer["data"] as? [[String: Any]])?.first)
        let last = try #require((group["lastTransactions"] as? [[String: Any]])?.first)
        return (
            try #require(last["status"] as? Int),
            try seller.verified(try #require(last["signedRenewalInfo"] as? String))
        )
    }

    @Test("A subscription whose renewal is due is active until the charge is decided", arguments: Engine.stores)
    func dueRenewal(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellServedBaskets()
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let first = try await phone.buy("basket", request: "r", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)
            let end = try #require(try await seller.transaction(first).expiresDate)

            // The wall's time has passed the end, and the store has not charged yet.
            store.clock.advance(by: .seconds(40 * 86_400))
            let (due, undecided) = try await renewal(first, seller)
            #expect(store.clock.now.date > end && due == 1)
            #expect(undecided.autoRenewStatus == 1 && undecided.expirationIntent == nil)

            try await store.later("0s", anna)
            let (status, renewed) = try await renewal(first, seller)
            #expect(status == 1 && renewed.renewalDate.map { $0 > end } == true)
            let page = try await seller.answer("v2/history/\(first)")
            #expect(try seller.transactions(page).map(\.transactionReason) == ["PURCHASE", "RENEWAL"])
        }
    }

    @Test("A renewal that is turned off keeps the date of the period's end", arguments: Engine.stores)
    func turnedOff(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellServedBaskets()
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let first = try await phone.buy("basket", request: "r", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)
            let end = try #require(try await seller.transaction(first).expiresDate)

            try await SettingRenewal(store.context)(
                false, of: OriginalTransactionIdentifier(TransactionIdentifier(first)), account: anna.identifier)
            let (status, off) = try await renewal(first, seller)
            #expect(status == 1 && off.autoRenewStatus == 0 && off.renewalDate == end)
            #expect(off.renewalPrice == nil && off.currency == nil)

            try await store.later("2mo", anna)
            let (ended, expired) = try await renewal(first, seller)
            #expect(ended == 2 && expired.expirationIntent == 1 && expired.renewalDate == end)
        }
    }
}
