// SPDX-License-Identifier: Apache-2.0

/// The reports, a row each. The next one is one row.
extension ReportedAnswer {
    private static let (one, two) = ("7ee81bd0-8a0b-4d5c-9d0f-7a1b8c1e2f3a", "0b9d5a3e-54a6-4f0b-9a3f-0a4f6d1c2b3e")

    private static func token(_ text: String) -> String { "{\"appAccountToken\": \"\(text)\"}" }

    private static func consumption(_ others: String = "", delivery: String = "DELIVERED") -> String {
        """
        {"customerConsented": true, "deliveryStatus": "\(delivery)", "sampleContentProvided": false\(others)}
        """
    }

    /// Steps of a family that shares two purchases of Anna's.
    private static func ofFamily(_ name: String, _ steps: [Step]) -> ReportedAnswer {
        ReportedAnswer(name, family + steps)
    }

    private static let family: [Step] = [
        .control("begin-family", #""email": "anna@example.com""#),
        .control(
            "add-family-member", #""email": "carl@example.com", "role": "adult", "organiser": "anna@example.com""#),
        .buy("shop.gold.month", as: "gold"), .buy("shop.pro", as: "pro"),
    ]

    static let table = serverAPI + families + receipts

    private static let serverAPI: [ReportedAnswer] = [
        ReportedAnswer(
            "An account token is that of the newest period and of later ones",
            [
                .buy("shop.gold.month", #", "accountToken": "\#(one)""#, as: "p1"),
                .control("renew-subscription", #""transaction": "$p1""#),
                .control("renew-subscription", #""transaction": "$p1""#),
                .answered("PUT v1/transactions/$p1/appAccountToken", token(two)),
                .control("renew-subscription", #""transaction": "$p1""#),
                .answered(
                    "GET v2/history/$p1",
                    [
                        "signedTransactions.count": "4", "signedTransactions.0.appAccountToken": one,
                        "signedTransactions.1.appAccountToken": one, "signedTransactions.2.appAccountToken": two,
                        "signedTransactions.3.appAccountToken": two,
                    ]),
                .answered(
                    "GET v1/subscriptions/$p1", ["data.0.lastTransactions.0.signedRenewalInfo.appAccountToken": two]),
            ]),
        ReportedAnswer(
            "An account token is set by the number of the first period",
            [
                .refused(
                    "PUT v1/transactions/2000000000000000001/appAccountToken", token(one), 4_040_005,
                    "Original transaction id not found."),
                .buy("shop.gold.month", as: "p1"),
                .control("renew-subscription", #""transaction": "$p1""#, as: "p2"),
                .refused(
                    "PUT v1/transactions/$p2/appAccountToken", token(one), 4_000_187,
                    "Invalid request. The transaction ID provided is not an original transaction ID."),
            ]),
        ReportedAnswer(
            "The period of an offer is its whole length",
            [
                .buy("shop.gold.month", as: "p1"), .control("expire-subscription", #""transaction": "$p1""#),
                .buy("shop.gold.month", #", "offer": "comeback3""#, as: "p2"),
                .answered(
                    "GET v1/transactions/$p2",
                    ["signedTransactionInfo.offerPeriod": "P3M", "signedTransactionInfo.offerType": "2"]),
                .answered(
                    "GET v1/subscriptions/$p2", ["data.0.lastTransactions.0.signedRenewalInfo.offerPeriod": "P3M"]),
                .control(
                    "create-codes",
                    """
                    "batch": "b", "bundle": "com.example.fruit", "product": "shop.gold.month", "kind": "custom",
                    "offer": "spring", "name": "spring", "code": "SPRING26", "limit": 5
                    """),
                .control(
                    "redeem", #""email": "carl@example.com", "bundle": "com.example.fruit", "code": "SPRING26""#,
                    as: "c1"),
                .answered(
                    "GET v1/transactions/$c1",
                    ["signedTransactionInfo.offerPeriod": "P2M", "signedTransactionInfo.offerType": "3"]),
                .answered(
                    "GET v1/subscriptions/$c1", ["data.0.lastTransactions.0.signedRenewalInfo.offerPeriod": "P2M"]),
            ]),
        ReportedAnswer(
            "The history of notifications goes back 30 days in the sandbox",
            [
                .refused(
                    "POST v1/notifications/history", #"{"startDate": $now-31, "endDate": $now}"#, 4_000_012,
                    "Invalid request. The start date is earlier than the allowed start date."),
                .answered(
                    "POST v1/notifications/history", #"{"startDate": $now-30, "endDate": $now}"#,
                    ["notificationHistory.count": "0"]),
            ]),
        ReportedAnswer(
            "A consumption percentage belongs to a delivered purchase that isn't a subscription",
            [
                .buy("shop.gold.month", as: "gold"), .buy("shop.coins", as: "coins"),
                .refused(
                    "PUT v2/transactions/consumption/$gold", consumption(#", "consumptionPercentage": 50000"#),
                    4_000_209,
                    "Invalid request. The consumption percentage field is not supported for auto-renewable "
                        + "subscription transactions."),
                .refused(
                    "PUT v2/transactions/consumption/$coins",
                    consumption(#", "consumptionPercentage": 50000"#, delivery: "UNDELIVERED_OTHER"), 4_000_210,
                    "Invalid request. The consumption percentage field must be zero for the delivery status."),
                .refused(
                    "PUT v2/transactions/consumption/$coins", consumption(#", "consumptionPercentage": 100001"#),
                    4_000_208, "Invalid request. The consumption percentage field is out of range."),
                .refused(
                    "PUT v2/transactions/consumption/$coins", consumption(#", "consumptionPercentage": -1"#), 4_000_208,
                    "Invalid request. The consumption percentage field is out of range."),
                .answered(
                    "PUT v2/transactions/consumption/$coins", consumption(#", "consumptionPercentage": 50000"#),
                    status: 202),
                .answered("PUT v2/transactions/consumption/$gold", consumption(), status: 202),
            ]),
        ReportedAnswer(
            "The seller is asked about every type of product, with the customer's reason",
            [
                .buy("shop.pro", as: "pro"), .buy("shop.pass30", as: "pass"), .buy("shop.coins", as: "coins"),
                .buy("shop.gold.month", as: "gold"),
                .ask("pro", "unsatisfied"), .asked(about: "pro", because: "UNSATISFIED_WITH_PURCHASE"),
                .ask("pass", "legal"), .asked(about: "pass", because: "LEGAL"),
                .ask("coins", "other"), .asked(about: "coins", because: "OTHER"),
                .ask("gold", "unintended"), .asked(about: "gold", because: "UNINTENDED_PURCHASE"),
            ]),
        ReportedAnswer(
            "An extension for all subscribers leaves out a free trial",
            [
                .buy("shop.silver.month", as: "trial"),
                .answered("GET v1/transactions/$trial", ["signedTransactionInfo.offerDiscountType": "FREE_TRIAL"]),
                .answered(
                    "POST v1/subscriptions/extend/mass",
                    """
                    {"extendByDays": 10, "extendReasonCode": 3, "requestIdentifier": "\(one)",
                    "productId": "shop.silver.month"}
                    """),
                .answered(
                    "GET v1/subscriptions/extend/mass/shop.silver.month/\(one)",
                    ["complete": "true", "failedCount": "0", "succeededCount": "0"]),
                .answered(
                    "POST v1/notifications/history",
                    """
                    {"startDate": $now-1, "endDate": $now, "notificationType": "RENEWAL_EXTENSION",
                    "notificationSubtype": "FAILURE"}
                    """,
                    ["notificationHistory.count": "0"]),
            ]),
        ReportedAnswer(
            "The dates of transactions and renewals are whole seconds, also after a renewal",
            [
                .buy("shop.gold.month", as: "p1"), .control("renew-subscription", #""transaction": "$p1""#, as: "p2"),
                .answered(
                    "GET v1/transactions/$p2",
                    [
                        "signedTransactionInfo.purchaseDate": "*000", "signedTransactionInfo.expiresDate": "*000",
                        "signedTransactionInfo.originalPurchaseDate": "*000",
                        "signedTransactionInfo.signedDate": "*751",
                    ]),
                .answered(
                    "GET v1/subscriptions/$p1",
                    [
                        "data.0.lastTransactions.0.signedRenewalInfo.renewalDate": "*000",
                        "data.0.lastTransactions.0.signedRenewalInfo.recentSubscriptionStartDate": "*000",
                        "data.0.lastTransactions.0.signedRenewalInfo.signedDate": "*751",
                    ]),
            ]),
    ]

    private static let families: [ReportedAnswer] = [
        ofFamily(
            "A family member's purchase has no account token and no consumption",
            [
                .refused(
                    "PUT v1/transactions/$gold.shared/appAccountToken", token(one), 4_000_185,
                    "Invalid request. Family Sharing transactions aren't supported by this endpoint."),
                .refused(
                    "PUT v2/transactions/consumption/$gold.shared", consumption(), 4_000_185,
                    "Invalid request. Family Sharing transactions aren't supported by this endpoint."),
            ]),
        ofFamily(
            "A shared purchase that a member loses isn't a refund",
            [
                .control("remove-family-member", #""email": "carl@example.com""#),
                .answered(
                    "GET v1/transactions/$pro.shared", ["signedTransactionInfo.revocationType": "FAMILY_REVOKE"]),
                .answered("GET v2/refund/lookup/$pro.shared", ["signedTransactions.count": "0", "hasMore": "false"]),
                .answered("GET v1/refund/lookup/$gold.shared", ["signedTransactions.count": "0"]),
            ]),
    ]

    private static let listener = "00000000000000000000000000000001"

    private static let receipts: [ReportedAnswer] = [
        ReportedAnswer(
            "A finished non-renewing subscription stays, and a finished consumable leaves",
            [
                .control("listen", #""listener": "\#(listener)", "version": 1, "limit": 0"#),
                .phone("shop.pass30", as: "pass"), .phone("shop.coins", as: "coins"),
                .answered("finish $pass"), .answered("finish $coins"),
                .answered(
                    "POST /verifyReceipt", #"{"receipt-data": "$receipt", "password": "any"}"#,
                    [
                        "status": "0", "receipt.in_app.count": "1", "receipt.in_app.0.transaction_id": "$pass",
                        "latest_receipt_info.count": "1", "latest_receipt_info.0.transaction_id": "$pass",
                    ]),
                .control("refund", #""transaction": "$pass""#),
                .answered(
                    "C listen", #"{"listener": "\#(listener)", "version": 1, "limit": 0}"#,
                    [
                        "notifications.0.payload.notification_type": "REFUND",
                        "notifications.0.payload.unified_receipt.latest_receipt_info.count": "1",
                        "notifications.0.payload.unified_receipt.latest_receipt_info.0.transaction_id": "$pass",
                    ]),
            ]),
        ReportedAnswer(
            "A Boolean of a request is read from a text too",
            [
                .phone("shop.gold.month", as: "p1"), .control("renew-subscription", #""transaction": "$p1""#),
                .answered(
                    "POST /verifyReceipt", #"{"receipt-data": "$receipt", "exclude-old-transactions": "false"}"#,
                    ["status": "0", "latest_receipt_info.count": "2"]),
                .answered(
                    "POST /verifyReceipt", #"{"receipt-data": "$receipt", "exclude-old-transactions": "true"}"#,
                    ["status": "0", "latest_receipt_info.count": "1"]),
            ]),
        ReportedAnswer(
            "The answer about the receipt of one transaction has two keys, unless it is a subscription's",
            [
                .phone("shop.pro", as: "pro"),
                .answered("POST /verifyReceipt", #"{"receipt-data": "$receipt.pro"}"#, ["keys": "receipt status"]),
            ]),
    ]
}
