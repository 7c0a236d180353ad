// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// A line of JSON that the probe prints.
struct Line: Encodable {
    /// The reason for a line.
    enum Event: String, Encodable {
        /// The answer to a command.
        case answer
        /// An element of `Transaction.updates`.
        case update
        /// An element of `Product.SubscriptionInfo.Status.updates`.
        case status
    }

    var event: Event
    var transactions: [Shown] = []
    var statuses: [ShownStatus] = []
    /// The end of a purchase, or an error.
    var outcome: String?

    /// Prints the line in one write, so that lines of several tasks don't mix.
    func print() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard var data = try? encoder.encode(self) else { return }
        data.append(UInt8(ascii: "\n"))
        FileHandle.standardOutput.write(data)
    }
}

/// The facts about a transaction that the test compares.
struct Shown: Encodable {
    var id: String
    var original: String
    var product: String
    var quantity: Int
    /// `nil` for a verified transaction.
    var refusal: String?
    var isRefunded: Bool
    var reason: String
    var account: String?

    init(_ result: VerificationResult<Transaction>) {
        let transaction = result.unsafePayloadValue
        id = "\(transaction.id)"
        original = "\(transaction.originalID)"
        product = transaction.productID
        quantity = transaction.purchasedQuantity
        if case .unverified(_, let error) = result { refusal = "\(error)" }
        isRefunded = transaction.revocationDate != nil
        reason = transaction.reason.rawValue
        account = transaction.appAccountToken?.uuidString
    }
}

/// The facts about a subscription that the test compares.
struct ShownStatus: Encodable {
    var state: String
    var transaction: Shown
    var renews: Bool
    var isVerified: Bool

    init(_ status: Product.SubscriptionInfo.Status) {
        state = status.state.localizedDescription
        transaction = Shown(status.transaction)
        renews = status.renewalInfo.unsafePayloadValue.willAutoRenew
        isVerified = (try? status.renewalInfo.payloadValue) != nil
    }
}
