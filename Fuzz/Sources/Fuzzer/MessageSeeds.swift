// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import StoreAPI
import StoreCore

/// A valid sample of each message, event and form, and a second one of those
/// with optional fields.
enum MessageSeeds {
    static let credentials = [
        DeviceCredentials(
            identifier: String(repeating: "0f", count: 16), secret: String(repeating: "a1", count: 32)
        ).authorization
    ]

    static let forms = [
        "decision=buy&email=kim%40example.com&password=a+b%26c&shown=990+USD", "decision=cancel",
        "email=&password=&shown=9007199254740991+JPY&decision=sign-in", "email[a][]=1&email[0]=2&shown=-1+USD+EUR",
    ]

    static var messages: [Data] {
        get throws {
            let samples: [any Encodable & Sendable] = calls + answers
            let names = Set(samples.map { MessageCheck.name(of: type(of: $0)) })
            for check in MessageCheck.all { precondition(names.contains(check.name), "\(check.name) has no sample") }
            return try samples.map { try MessageCheck.input($0) }
        }
    }

    static var events: [Data] {
        get throws {
            let events: [StoreEvent] = [
                .snapshot(snapshot), .snapshot(QueueSnapshot(position: nil, transactions: [])),
                .transaction(transaction, position), .removed(transactionIdentifier: "2000000000000001", position),
                .revoked(revoked, position), .storefront(storefront, position), .keyValues(position),
                .position(position), .request(requestIdentifier: request), .accountChanged,
                .opened(newsNumber: 7), .refused(StoreFailure(.throttled, "Too many: try again.", retryAfter: 30)),
            ]
            return try events.map { event in
                let frame = try StoreEventFrame(event)
                return Data("\(frame.name)\n\(frame.data)".utf8)
            }
        }
    }

    private static let app = "com.example.fruit"
    private static let request = "00112233445566778899aabbccddeeff"
    private static let position = EventPosition(account: "0f0f", number: 7)
    private static let storefront = StorefrontInfo(countryCode: "USA", identifier: "143441")
    private static let failure = PurchaseFailure(.paymentCancelled, "The customer cancelled.", underlying: .interrupted)
    private static let revoked = RevokedInfo(
        originalTransactionIdentifier: "2000000000000001", productIdentifier: "apple", isEntitlement: true)
    private static let transaction = TransactionInfo(
        transactionIdentifier: "2000000000000002", originalTransactionIdentifier: "2000000000000001",
        productIdentifier: "apple", quantity: 1, purchaseDate: 1_767_323_045_000,
        originalPurchaseDate: 1_767_323_045_000, applicationUsername: "kim", requestIdentifier: request,
        restores: RestoredPurchase(
            transactionIdentifier: "2000000000000001", purchaseDate: 1_767_323_045_000, quantity: 1))
    private static let snapshot = QueueSnapshot(
        position: position, transactions: [transaction], storefront: storefront, revoked: [revoked],
        next: position)

    private static let calls: [any Encodable & Sendable] = [
        RegisterCall(),
        ProductsCall(bundleIdentifier: app, productIdentifiers: ["apple", "p\u{e9}ar"], languages: ["de_DE", "en"]),
        PaymentCall(requestIdentifier: request, bundleIdentifier: app, productIdentifier: "apple", quantity: 1),
        PaymentCall(
            requestIdentifier: request, bundleIdentifier: app, productIdentifier: "apple", quantity: 10,
            applicationUsername: "kim", simulatesAskToBuy: true,
            discount: DiscountInfo(
                identifier: "loyal", keyIdentifier: "K1", nonce: "6f2a1e2e-0000-4000-8000-000000000000",
                signature: "MAYCAQECAQE=", timestamp: 1_767_323_045_000),
            isWithdrawn: true),
        FinishCall(bundleIdentifier: app, transactionIdentifier: "2000000000000002"),
        RestoreCall(requestIdentifier: request, bundleIdentifier: app, page: 1),
        ReceiptCall(
            requestIdentifier: request, bundleIdentifier: app, applicationVersion: "1.0", mayAskToSignIn: true,
            properties: ReceiptProperties(isExpired: true)),
        TransactionReceiptsCall(
            bundleIdentifier: app, applicationVersion: "1.0", transactions: ["2000000000000002"]),
        QueueCall(bundleIdentifier: app, position: position, takesPages: true, after: position, until: position),
        SignOutCall(requestIdentifier: request),
        EventsCall(apps: [
            StreamedApp(bundleIdentifier: app),
            StreamedApp(bundleIdentifier: "other", position: position, newsNumber: 7, takesPages: true),
        ]),
        KeyValuesCall(
            bundleIdentifier: app,
            writes: [
                KeyValueWrite(key: "level", value: "AQID", sequence: 3),
                KeyValueWrite(key: "name", value: nil, sequence: 4),
            ], position: position),
    ]

    private static let answers: [any Encodable & Sendable] = [
        RegisterCall.Answer(environment: "Sandbox"),
        ProductsCall.Answer(
            products: [
                ProductInfo(
                    productIdentifier: "apple", type: .consumable, title: "Apple", description: "Red.",
                    milliunits: 990, currency: "USD", priceLocale: "en_US@currency=USD", isFamilyShareable: false),
                ProductInfo(
                    productIdentifier: "gold", type: .autoRenewable, title: "Gold", description: "",
                    milliunits: 9990, currency: "USD", priceLocale: "en_US@currency=USD", isFamilyShareable: true,
                    subscriptionPeriod: "P1M", subscriptionGroupIdentifier: "metals"),
            ], invalidProductIdentifiers: ["p\u{e9}ar"], storefront: storefront),
        PaymentCall.Answer(status: .authorise, sheet: "https://store.example.com/sheet/0f"),
        PaymentCall.Answer(status: .purchased, transaction: transaction, position: position),
        PaymentCall.Answer(status: .failed, failure: failure),
        FinishCall.Answer(),
        RestoreCall.Answer(transactions: [transaction], nextPage: 2, position: position),
        RestoreCall.Answer(sheet: "https://store.example.com/sheet/0f", failure: failure),
        ReceiptCall.Answer(sheet: nil, failure: failure, receipt: "MIAGCSqGSIb3DQEHAqCA", position: position),
        TransactionReceiptsCall.Answer(account: "0f0f", receipts: ["2000000000000002": "ewp9"]),
        snapshot,
        SignOutCall.Answer(),
        KeyValuesCall.Answer(
            values: [KeyValueInfo(key: "level", value: "AQID"), KeyValueInfo(key: "name", value: nil)],
            refused: [KeyValueInfo(key: "big", value: nil)], isWhole: true, position: position),
        StoreFailureBody(error: StoreFailure(.throttled, "Too many: try again.", retryAfter: 30)),
    ]
}
