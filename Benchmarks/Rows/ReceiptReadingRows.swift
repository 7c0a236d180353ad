// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// The cost of parsing and of the rules, in addition to the signature's.
struct ReceiptReadingRow: Row {
    static let name = "receipt-verify"
    static let summary =
        "receipts with one purchase, parsed and verified on one thread, against verifications of `openssl speed rsa2048`"

    static func compare() async throws -> Comparison {
        try await Comparison(
            ManyPurchases.verifying(1, times: 3000),
            against: Side("verifications") { try await OpenSSLSpeed.rates(of: .rsa2048).verifications },
            beside: [("swift-crypto's own", SwiftCryptoSpeed.verifyingRSA())])
    }
}

/// The same for receipts with 100 purchases.
struct ReceiptOf100Row: Row {
    static let name = "receipt-verify-100"
    static let summary = "receipts with 100 purchases against receipts with one, both parsed and verified on one thread"

    static func compare() async throws -> Comparison {
        try await Comparison(
            ManyPurchases.verifying(100, times: 300), against: ManyPurchases.verifying(1, times: 3000))
    }
}

/// Whether the time per purchase stays the same: a ratio of 1 is linear.
struct ReceiptOf10000Row: Row {
    static let name = "receipt-verify-10000"
    static let summary =
        "purchases in receipts of 10,000 against purchases in receipts of 1000, parsed and verified on one thread"

    static func compare() async throws -> Comparison {
        try await Comparison(
            purchases(in: ManyPurchases.verifying(10_000, times: 4), of: 10_000),
            against: purchases(in: ManyPurchases.verifying(1000, times: 40), of: 1000))
    }

    private static func purchases(in side: Side, of count: Int) -> Side {
        Side("purchases") { try await side.rate() * Double(count) }
    }
}
