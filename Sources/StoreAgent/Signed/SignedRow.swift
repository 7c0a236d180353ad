// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI

/// A signed transaction in the journal. The columns beside the JWS are read
/// from it for searches; they are not verified.
package struct SignedRow: Sendable, Hashable {
    /// The place of a row in the order of the purchase dates.
    package struct Place: Sendable, Hashable {
        var date: Int64
        var identifier: String
    }

    package var transactionIdentifier: String
    package var productIdentifier: String
    /// The first transaction of the chain; the transaction itself when the JWS
    /// can't be read.
    var original: String
    /// The product's type; empty when the JWS can't be read.
    var type: String
    /// Milliseconds since 1970.
    var date: Int64
    var isRevoked: Bool
    /// The JWS.
    package var signed: String
    /// Whether it is a consumable that was finished.
    var isConsumed: Bool
    /// Whether the app has finished it on this device.
    var isFinished: Bool
    /// The number of the row's last change; 0 for a purchase of the first pages
    /// of an account, until it is news for an app that has finished it.
    package var change: Int64
    /// The number of the last change that is news for an app that has finished
    /// the transaction; 0 before one.
    var news: Int64

    package var place: Place { Place(date: date, identifier: transactionIdentifier) }

    /// A transaction at one of its changes.
    package struct Version: Sendable, Hashable {
        var transactionIdentifier: String
        package var change: Int64
    }

    package var version: Version { Version(transactionIdentifier: transactionIdentifier, change: change) }

    /// A row for a transaction of the store.
    init(_ info: SignedTransactionInfo, change: Int64) {
        let payload = (try? UnverifiedJWS<TransactionPayload>(parsing: info.signed))?.payload
        self.init(
            transactionIdentifier: info.transactionIdentifier, productIdentifier: info.productIdentifier,
            original: payload?.originalTransactionId ?? info.transactionIdentifier, type: payload?.type ?? "",
            date: payload?.purchaseDate.map { Int64($0.timeIntervalSince1970 * 1000) } ?? 0,
            isRevoked: payload?.revocationDate != nil, signed: info.signed, isConsumed: info.isConsumed ?? false,
            isFinished: false, change: change, news: 0)
    }

    init(
        transactionIdentifier: String, productIdentifier: String, original: String, type: String, date: Int64,
        isRevoked: Bool, signed: String, isConsumed: Bool, isFinished: Bool, change: Int64, news: Int64
    ) {
        self.transactionIdentifier = transactionIdentifier
        self.productIdentifier = productIdentifier
        self.original = original
        self.type = type
        self.date = date
        self.isRevoked = isRevoked
        self.signed = signed
        self.isConsumed = isConsumed
        self.isFinished = isFinished
        self.change = change
        self.news = news
    }

    /// Records whether the change is news for an app that has finished the
    /// transaction, and may have ended the customer's access: a refund, or the
    /// end of a share, was taken back, or the period ends later.
    mutating func compare(with known: SignedRow) {
        news = known.isRevoked && !isRevoked || isExtended(since: known) ? change : known.news
    }

    private func isExtended(since known: SignedRow) -> Bool {
        guard isPeriod, signed != known.signed, let end, let knownEnd = known.end else { return false }
        return end > knownEnd
    }

    private var end: Date? {
        (try? UnverifiedJWS<TransactionPayload>(parsing: signed))?.payload.expiresDate
    }
}

extension SignedRow {
    /// Whether it is a finished consumable that wasn't refunded.
    package var isUsedUp: Bool { isConsumed && !isRevoked }

    /// Whether it is a period of an auto-renewable subscription.
    package var isPeriod: Bool { type == ProductType.autoRenewable.rawValue }

    /// Whether it is a consumable.
    var isConsumable: Bool { type == ProductType.consumable.rawValue }

    /// The product or, of a subscription, the first transaction: the newest
    /// transaction of a subject decides about the entitlement.
    package var subject: String {
        isPeriod ? "subscription \(original)" : "product \(productIdentifier)"
    }
}
