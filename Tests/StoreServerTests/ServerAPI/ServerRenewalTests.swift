// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The renewals of the App Store Server API.
@Suite(.timeLimit(.hang))
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

    @Test("A subscription whose renewal is due is active until the charge is decided", arguments: Engine.servers)
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

    @Test("A renewal that is turned off keeps the date of the period's end", arguments: Engine.servers)
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

    @Test("A renewal has the user name of the purchase that it renews", arguments: Engine.servers)
    func userName(engine: Engine) async throws {
        let token = "6fbf1f1c-7b43-4b2a-9c0a-4d2a4e1e7e55"
        try await engine.withHTTP { store, client in
            try await store.sellServedBaskets()
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let call = PaymentCall(
                requestIdentifier: "named", bundleIdentifier: TestStore.bundleIdentifier, productIdentifier: "basket",
                quantity: 1, applicationUsername: token)
            let sheet = try phone.token(try await phone.call(call).sheet)
            _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            let first = try #require(try await phone.call(call).transaction?.transactionIdentifier)
            try await store.later("1mo1d", anna)
            let seller = try await ServerSeller(store, client)
            let named = try seller.transactions(try await seller.answer("v2/history/\(first)"))
            #expect(named.map(\.appAccountToken) == [token, token])

            let newest = try #require(named.last?.transactionId)
            _ = try await RefundingPurchase(store.context)(TransactionIdentifier(newest))
            try await phone.buy("basket", request: "nameless", as: anna)
            try await store.later("1mo1d", anna)

            let all = try seller.transactions(try await seller.answer("v2/history/\(first)?revoked=false"))
            #expect(all.map(\.appAccountToken) == [token, nil, nil])
            let (_, renewal) = try await renewal(first, seller)
            #expect(renewal.appAccountToken == nil)
        }
    }
}
