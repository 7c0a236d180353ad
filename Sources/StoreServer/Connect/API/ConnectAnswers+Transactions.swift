// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension ConnectAnswers {
    struct Transaction: Encodable {
        var transaction: String
        var original: String
        var bundle: String
        var product: String
        var kind: String
        var quantity: Int
        var date: String
        /// The price of the whole quantity.
        var price: String
        var currency: String
        var storefront: String
        /// The end of a subscription's period.
        var expires: String?
        /// The purchase of another member of the family.
        var sharedFrom: String?
        var revoked: String?
    }

    struct Transactions: Encodable {
        var transactions: [Transaction]
        var next: String?
    }

    /// An event of the account that names the transaction.
    struct Event: Encodable {
        var kind: String
        var at: String
    }

    struct LedgerLine: Encodable {
        var kind: String
        var transaction: String
        /// Negative for an amount that the customer gets back.
        var amount: String
        var currency: String
        var at: String
    }

    struct Attempt: Encodable {
        var at: String
        /// `sendAttemptResult`.
        var result: String
        /// The HTTP status of an answer that is no success.
        var status: Int?
    }

    struct Delivery: Encodable {
        var url: String
        var state: String
        var attempts: [Attempt]
        var due: String?
    }

    struct Notification: Encodable {
        /// `notificationUUID`.
        var notification: String
        var type: String
        var subtype: String?
        var created: String
        var deliveries: [Delivery]
    }

    struct TransactionRecord: Encodable {
        var transaction: Transaction
        /// `appAccountToken`.
        var accountToken: String?
        /// The address of a sandbox tester.
        var tester: String?
        var device: String?
        var isUnfinished: Bool
        var isInReceipt: Bool
        /// The amount that can be given back.
        var left: String?
        var events: [Event]
        var ledger: [LedgerLine]
        var notifications: [Notification]
        /// The other transactions of the same original.
        var others: [Transaction]
        /// The signed transaction of the App Store Server API.
        var signed: String?
    }
}

extension ConnectAnswers.Transaction {
    init(_ purchase: Purchase) {
        self.init(
            transaction: purchase.transactionIdentifier.rawValue,
            original: purchase.originalTransactionIdentifier.rawValue, bundle: purchase.bundleIdentifier.rawValue,
            product: purchase.productIdentifier.rawValue, kind: purchase.kind.rawValue, quantity: purchase.quantity,
            date: purchase.date.iso8601, price: purchase.price.decimal, currency: purchase.price.currency,
            storefront: purchase.storefront, expires: purchase.term?.expires.iso8601,
            sharedFrom: purchase.share?.transaction.rawValue, revoked: purchase.revoked?.iso8601)
    }
}

extension ConnectAnswers.TransactionRecord {
    /// `showsTester` is false in production, whose customers are the store's
    /// and not the seller's.
    init(_ record: PurchaseRecord, signed: String?, showsTester: Bool) {
        let purchase = record.purchase
        self.init(
            transaction: ConnectAnswers.Transaction(purchase), accountToken: record.accountToken,
            tester: showsTester ? record.account?.email : nil, device: purchase.device?.rawValue,
            isUnfinished: record.isUnfinished, isInReceipt: purchase.isInReceipt, left: record.left?.decimal,
            events: record.events.map { ConnectAnswers.Event(kind: $0.kind.rawValue, at: $0.time.iso8601) },
            ledger: record.ledger.map { entry in
                ConnectAnswers.LedgerLine(
                    kind: entry.kind.rawValue, transaction: entry.transactionIdentifier.rawValue,
                    amount: entry.amount.decimal, currency: entry.amount.currency, at: entry.at.iso8601)
            },
            notifications: record.notifications.map(ConnectAnswers.Notification.init),
            others: record.others.map(ConnectAnswers.Transaction.init), signed: signed)
    }
}

extension ConnectAnswers.Notification {
    init(_ listed: ListingNotifications.Listed) {
        let notification = listed.notification
        self.init(
            notification: notification.identifier, type: notification.kind.type,
            subtype: notification.kind.subtype.nonEmpty, created: notification.created.iso8601,
            deliveries: listed.deliveries.map { delivery in
                ConnectAnswers.Delivery(
                    url: delivery.url, state: delivery.state.rawValue,
                    attempts: delivery.attempts.map {
                        ConnectAnswers.Attempt(at: $0.at.iso8601, result: $0.result.rawValue, status: $0.status)
                    }, due: delivery.due?.iso8601)
            })
    }
}
