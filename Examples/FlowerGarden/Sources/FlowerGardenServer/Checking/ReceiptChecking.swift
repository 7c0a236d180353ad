// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A purchase of a receipt that was checked, as it is also recorded.
struct Purchase: Codable, Sendable, Equatable {
    var product: String
    var transaction: String
    var original: String
    var quantity = 1
    var bought: Date?
    /// When a subscription's period ends.
    var expires: Date?
    /// When the store refunded the purchase.
    var refunded: Date?
}

/// A way to check receipts.
protocol ReceiptChecking: Sendable {
    /// - Throws: ``Refusal`` if the receipt can't be trusted.
    func check(_ receipt: Data) async throws -> [Purchase]
}
