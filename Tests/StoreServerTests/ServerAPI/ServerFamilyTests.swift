// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Purchases that a member of the family shares, by the App Store Server API.
@Suite(.timeLimit(.hang))
struct ServerFamilyTests {
    /// A family whose organiser has bought a basket that a member has too.
    private struct Home {
        let store: TestStore
        let seller: ServerSeller
        let olga: Account
        let carl: Account
        let bought: String
        /// The member's transaction.
        let shared: String
    }

    private func withHome(_ engine: Engine, _ body: @Sendable @escaping (Home) async throws -> Void) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellServedBaskets(toFamilies: true)
            let olga = try await store.addAccount("olga@example.com")
            let carl = try await store.addAccount("carl@example.com")
            let families = ChangingFamily(store.context)
            _ = try await families.begin(organiser: olga.email)
            _ = try await families.add(carl.email, as: .adult, organiser: olga.email)
            let phone = try await store.addDevice()
            let bought = try await phone.buy("basket", request: "r", as: olga).transactionIdentifier
            await store.service.sharePurchases()
            let shared: String? = try await store.context.read { db in
                try db.row("SELECT transaction_id FROM purchase WHERE shared_from = $1", [bought])?
                    .get("transaction_id")
            }
            try await body(
                Home(
                    store: store, seller: try await ServerSeller(store, client), olga: olga, carl: carl,
                    bought: bought, shared: try #require(shared)))
        }
    }

    @Test("A shared period is FAMILY_SHARED, free, and in the member's history alone", arguments: Engine.servers)
    func history(engine: Engine) async throws {
        try await withHome(engine) { home in
            let seller = home.seller
            let payload = try await seller.transaction(home.shared)
            #expect(payload.inAppOwnershipType == "FAMILY_SHARED" && payload.price == 0)
            #expect(try await seller.transaction(home.bought).inAppOwnershipType == "PURCHASED")
            for (type, expected) in [("FAMILY_SHARED", [home.shared]), ("PURCHASED", [])] {
                let page = try await seller.answer("v2/history/\(home.shared)?inAppOwnershipType=\(type)")
                #expect(try seller.transactions(page).map(\.transactionId) == expected, "\(type)")
            }
            let page = try await seller.answer("v2/history/\(home.bought)?inAppOwnershipType=FAMILY_SHARED")
            #expect(try seller.transactions(page).isEmpty)
        }
    }

    @Test(
        "A member's status is that of the subscription which is shared, until sharing ends", arguments: Engine.servers)
    func statuses(engine: Engine) async throws {
        try await withHome(engine) { home in
            #expect(try await status(home.shared, home) == "\(home.shared) 1 renews")
            #expect(try await status(home.bought, home) == "\(home.bought) 1 renews")

            _ = try await ChangingFamily(home.store.context).remove(home.carl.email)
            await home.store.service.sharePurchases()

            #expect(try await status(home.shared, home) == "\(home.shared) 5 renews")
            let payload = try await home.seller.transaction(home.shared)
            #expect(payload.revocationType == "FAMILY_REVOKE" && payload.revocationReason == 0)
            // It is no refund that the store has approved.
            for version in ["v1", "v2"] {
                let refunds = try await home.seller.answer("\(version)/refund/lookup/\(home.shared)")
                #expect(try home.seller.transactions(refunds).isEmpty, "\(version)")
            }
            #expect(try await status(home.bought, home) == "\(home.bought) 1 renews")
        }
    }

    @Test(
        "A member's revocation has the reason of the refund of the purchase that was shared", arguments: Engine.servers)
    func reason(engine: Engine) async throws {
        try await withHome(engine) { home in
            let store = home.store
            let owner = try #require(
                try await store.context.read { db in try Purchase.find(TransactionIdentifier(home.bought), db) })
            let asked = try await AskingForRefund(store.context)(
                owner.transactionIdentifier, of: owner.account, because: .broken, comment: nil)
            _ = try await DecidingRefund(store.context).approve(asked.identifier)
            await store.service.sharePurchases()
            let payload = try await home.seller.transaction(home.shared)
            #expect(payload.revocationType == "FAMILY_REVOKE" && payload.revocationReason == 1)
            #expect(try await home.seller.transaction(home.bought).revocationReason == 1)
        }
    }

    @Test(
        "/verifyReceipt has a shared subscription in each list, with the renewal of the member who shares it",
        arguments: Engine.servers)
    func verifyReceipt(engine: Engine) async throws {
        try await withHome(engine) { home in
            let device = try await home.store.addDevice(9)
            let free = try await device.buy("free", request: "j", as: home.carl).transactionIdentifier
            let receipt = try #require(try await device.receiptAnswer().receipt)
            let answer = try await home.seller.client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"}")
                .object()
            let body = try #require(answer["receipt"] as? [String: Any])
            for list in [body["in_app"], answer["latest_receipt_info"]] {
                let rows = try #require(list as? [[String: Any]])
                let owners = rows.map { "\($0["product_id"] ?? "") \($0["in_app_ownership_type"] ?? "")" }
                #expect(Set(owners) == ["basket FAMILY_SHARED", "free PURCHASED"])
                #expect(rows.contains { $0["transaction_id"] as? String == home.shared })
            }
            let renewals = try #require(answer["pending_renewal_info"] as? [[String: Any]])
            #expect(Set(renewals.map { $0["original_transaction_id"] as? String }) == [home.shared, free])
            #expect(renewals.map { $0["auto_renew_status"] as? String } == ["1", "1"])
        }
    }

    /// The original transaction and the status of the only subscription, and
    /// whether its renewal is on.
    private func status(_ transaction: String, _ home: Home) async throws -> String {
        let answer = try await home.seller.answer("v1/subscriptions/\(transaction)")
        let groups = try #require(answer["data"] as? [[String: Any]])
        let listed = try #require(groups.first?["lastTransactions"] as? [[String: Any]])
        let only = try #require(groups.count == 1 && listed.count == 1 ? listed.first : nil)
        let original = try #require(only["originalTransactionId"] as? String)
        let renewal: RenewalInfoPayload = try home.seller.verified(
            try #require(only["signedRenewalInfo"] as? String))
        #expect(renewal.originalTransactionId == original)
        return "\(original) \(try #require(only["status"] as? Int)) "
            + (renewal.autoRenewStatus == 1 ? "renews" : "ends")
    }

    @Test("A share is extended with the purchase that it is from, and not alone", arguments: Engine.servers)
    func extending(engine: Engine) async throws {
        try await withHome(engine) { home in
            let seller = home.seller
            let body = #"{"extendByDays": 10, "extendReasonCode": 3, "requestIdentifier": "outage"}"#
            let refused = try await seller.refusal("v1/subscriptions/extend/\(home.shared)", .put, body)
            #expect(refused == "403 4030007")
            let end = try #require(try await seller.transaction(home.shared).expiresDate)
            let before = try #require(try await seller.answer("v2/history/\(home.shared)")["revision"] as? String)

            _ = try await seller.answer("v1/subscriptions/extend/\(home.bought)", .put, body)
            await home.store.service.sharePurchases()

            let payload = try await seller.transaction(home.shared)
            #expect(payload.expiresDate == end.addingTimeInterval(10 * 86_400))
            let changed = try await seller.answer("v2/history/\(home.shared)?revision=\(before)")
            #expect(try seller.transactions(changed).map(\.transactionId) == [home.shared])
        }
    }

    @Test("A share has no account token of its own", arguments: Engine.servers)
    func token(engine: Engine) async throws {
        try await withHome(engine) { home in
            let body = #"{"appAccountToken": "7ee81bd0-8a0b-4d5c-9d0f-7a1b8c1e2f3a"}"#
            let (own, others) = ("v1/transactions/\(home.bought)", "v1/transactions/\(home.shared)")
            let refused = try await home.seller.refusal("\(others)/appAccountToken", .put, body)
            #expect(refused == "400 4000185")
            let consumed = try await home.seller.refusal(
                "v2/transactions/consumption/\(home.shared)", .put,
                #"{"customerConsented": true, "deliveryStatus": "DELIVERED", "sampleContentProvided": false}"#)
            #expect(consumed == "400 4000185")
            #expect(try await home.seller.done("\(own)/appAccountToken", .put, body) == 200)
            #expect(try await home.seller.transaction(home.shared).appAccountToken == nil)
        }
    }
}
