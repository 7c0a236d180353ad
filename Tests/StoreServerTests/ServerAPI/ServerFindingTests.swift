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

/// Answers that were reported as wrong, each with the right one. The next report is one row.
@Suite(.timeLimit(.hang))
struct ServerFindingTests {
    struct Finding: CustomStringConvertible, Sendable {
        var path: String
        var method: HTTPRequest.Method = .put
        var body: String
        var status: Int
        var code: Int
        var text: String

        var description: String { "\(method) \(path) \(body)" }
    }

    private static let token = #"{"appAccountToken": "7ee81bd0-8a0b-4d5c-9d0f-7a1b8c1e2f3a"}"#

    private static func consumption(_ others: String, delivery: String = "DELIVERED") -> String {
        """
        {"customerConsented": true, "deliveryStatus": "\(delivery)", "sampleContentProvided": false, \(others)}
        """
    }

    /// `PERIOD` is a subscription, `RENEWAL` its second period, `JUICE` a consumable.
    static let findings = [
        Finding(
            path: "v1/transactions/2000000000000000001/appAccountToken", body: token, status: 404, code: 4_040_005,
            text: "Original transaction id not found."),
        Finding(
            path: "v1/transactions/RENEWAL/appAccountToken", body: token, status: 400, code: 4_000_187,
            text: "Invalid request. The transaction ID provided is not an original transaction ID."),
        Finding(
            path: "v1/notifications/history", method: .post, body: #"{"startDate": 31_DAYS_AGO, "endDate": NOW}"#,
            status: 400, code: 4_000_012,
            text: "Invalid request. The start date is earlier than the allowed start date."),
        Finding(
            path: "v1/notifications/history", method: .post,
            body: #"{"startDate": 1_DAY_AGO, "endDate": NOW, "notificationType": "REFUND", "#
                + #""notificationSubtype": "UPGRADE"}"#,
            status: 400, code: 4_000_018, text: "Invalid request. The notification type or subtype is invalid."),
        Finding(
            path: "v1/notifications/history", method: .post,
            body: #"{"startDate": 1_DAY_AGO, "endDate": NOW, "transactionId": "3001000000000000001"}"#,
            status: 404, code: 4_040_010, text: "Transaction id not found."),
        Finding(
            path: "v1/subscriptions/extend/mass/basket/outage", method: .get, body: "", status: 400, code: 4_000_011,
            text: "Invalid request identifier."),
        Finding(
            path: "v1/subscriptions/extend/mass/basket/7ee81bd0-8a0b-4d5c-9d0f-7a1b8c1e2f3a", method: .get, body: "",
            status: 404, code: 4_040_009,
            text:
                "The server didn't find a subscription-renewal-date extension request for this requestIdentifier and productId combination."
        ),
        Finding(
            path: "v1/subscriptions/extend/3001000000000000001",
            body: #"{"extendByDays": 10, "extendReasonCode": 3, "requestIdentifier": "outage"}"#, status: 404,
            code: 4_040_005, text: "Original transaction id not found."),
        Finding(
            path: "v2/transactions/consumption/PERIOD", body: consumption(#""consumptionPercentage": 50000"#),
            status: 400, code: 4_000_209,
            text: "Invalid request. The consumption percentage field is not supported for auto-renewable "
                + "subscription transactions."),
        Finding(
            path: "v2/transactions/consumption/JUICE",
            body: consumption(#""consumptionPercentage": 1"#, delivery: "UNDELIVERED_OTHER"), status: 400,
            code: 4_000_210,
            text: "Invalid request. The consumption percentage field must be zero for the delivery status."),
        Finding(
            path: "v2/transactions/consumption/JUICE", body: consumption(#""consumptionPercentage": 100001"#),
            status: 400, code: 4_000_208,
            text: "Invalid request. The consumption percentage field is out of range."),
        Finding(
            path: "v2/transactions/consumption/JUICE", body: consumption(#""consumptionPercentage": -1"#),
            status: 400, code: 4_000_208,
            text: "Invalid request. The consumption percentage field is out of range."),
    ]

    @Test("A request that was reported is refused with Apple's status, number and text")
    func refusals() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let juice = try await phone.buy("juice", request: "j", as: anna).transactionIdentifier
            try await store.sellServedBaskets()
            let period = try await phone.buy("basket", request: "b", as: anna).transactionIdentifier
            try await store.later("1mo1d", anna)
            let seller = try await ServerSeller(store, client)
            let history = try seller.transactions(
                try await seller.answer("v2/history/\(period)?productId=basket"))
            let renewal = try #require(history.last?.transactionId)
            let now = store.clock.now.milliseconds
            for finding in Self.findings {
                let path = finding.path.replacing("PERIOD", with: period).replacing("RENEWAL", with: renewal)
                    .replacing("JUICE", with: juice)
                let body = finding.body.replacing("31_DAYS_AGO", with: "\(now - 31 * 86_400_000)")
                    .replacing("1_DAY_AGO", with: "\(now - 86_400_000)")
                    .replacing("NOW", with: "\(now)")
                let response = try await seller.ask(path, finding.method, body)
                let answer = try response.object()
                #expect(response.status.code == finding.status, "\(finding)")
                #expect(answer["errorCode"] as? Int == finding.code, "\(finding)")
                #expect(answer["errorMessage"] as? String == finding.text, "\(finding)")
            }
        }
    }

    @Test("A type that a newer page has is a valid filter, and so are seats that were assigned: nothing is found")
    func newValues() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let anna = try await store.addAccount()
            let juice = try await store.addDevice().buy("juice", request: "j", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)
            let page = try await seller.answer("v2/history/\(juice)?inAppOwnershipType=ASSIGNED")
            #expect(try seller.transactions(page).isEmpty && page["hasMore"] as? Bool == false)
            let now = store.clock.now.milliseconds
            for filter in [
                #""notificationType": "UNCLAIM_SEATS""#,
                #""notificationType": "REFUND", "notificationSubtype": "SEATS""#,
            ] {
                let body = "{\"startDate\": \(now - 1000), \"endDate\": \(now), \(filter)}"
                let answer = try await seller.ask("v1/notifications/history", .post, body).object()
                #expect((answer["notificationHistory"] as? [Any])?.isEmpty == true, "\(filter)")
            }
        }
    }

    @Test(
        "A product that isn't a subscription has the offer of the code with which it was bought",
        arguments: Engine.stores)
    func codeOffer(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let bought = try await phone.buy("apple", request: "a", as: anna)
            let with = try await store.context.read { db -> Purchase? in
                var purchase = try Purchase.find(TransactionIdentifier(bought.transactionIdentifier), db)
                purchase?.codeOffer = "SPRING"
                return purchase
            }
            let payload = TransactionPayload(
                try #require(with), ServedDetails(), in: .sandbox, signed: store.clock.now)
            #expect(payload.offerType == 3 && payload.offerIdentifier == "SPRING")
            #expect(payload.offerDiscountType == "ONE_TIME" && payload.offerPeriod == nil)
        }
    }

    @Test("Dates of transactions and renewals are whole seconds, and those of signatures have milliseconds")
    func dates() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            try await store.sellServedBaskets()
            store.clock.advance(by: .milliseconds(751))
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let bought = try await phone.buy("basket", request: "b", as: anna).transactionIdentifier
            let seller = try await ServerSeller(store, client)
            let transaction = try await seller.transaction(bought)
            let statuses = try await seller.answer("v1/subscriptions/\(bought)")
            let group = try #require((statuses["data"] as? [[String: Any]])?.first)
            let last = try #require((group["lastTransactions"] as? [[String: Any]])?.first)
            let renewal: RenewalInfoPayload = try seller.verified(try #require(last["signedRenewalInfo"] as? String))
            let dates = [
                transaction.purchaseDate, transaction.originalPurchaseDate, transaction.expiresDate,
                renewal.recentSubscriptionStartDate, renewal.renewalDate,
            ].map { $0?.timeIntervalSince1970 }
            for date in dates { #expect(date == date?.rounded(), "\(dates)") }
            let signed = try #require(transaction.signedDate?.timeIntervalSince1970)
            #expect(signed != signed.rounded())
        }
    }

    @Test("The seller is asked for information about every type of product, with each of Apple's reasons")
    func consumptionRequests() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await ChangingNotificationAddresses(store.context).add(
                "https://seller.example/notify", of: BundleIdentifier(TestStore.bundleIdentifier))
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            for (number, reason) in RefundRequest.Reason.allCases.enumerated() {
                let product = number == 0 ? "apple" : "juice"
                let bought = try await phone.buy(product, request: "r\(number)", as: anna).transactionIdentifier
                _ = try await AskingForRefund(store.context)(
                    TransactionIdentifier(bought), of: anna.identifier, because: reason, comment: nil)
            }
            let asked = try await store.context.database.read { connection in
                try connection.rows("SELECT details FROM notification WHERE type = 'CONSUMPTION_REQUEST'").map {
                    try $0.get("details") as String
                }
            }
            for reason in ["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER"] {
                #expect(asked.contains { $0.contains("\"\(reason)\"") }, "\(reason) in \(asked)")
            }
            #expect(asked.count == RefundRequest.Reason.allCases.count)
        }
    }
}
