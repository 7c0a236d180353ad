// SPDX-License-Identifier: Apache-2.0

/// A place in the order in which the purchases of an account were last
/// changed: `revision` in the App Store Server API.
///
/// Purchases that one commit has changed have the same number, which is that
/// of the account's newest event then.
package struct PurchaseRevision: Hashable, Sendable {
    var number: Int64
    var transaction: TransactionIdentifier

    /// The place before all purchases.
    package static let start = PurchaseRevision(number: -1, transaction: "")

    init(number: Int64, transaction: TransactionIdentifier) {
        self.number = number
        self.transaction = transaction
    }

    /// Reads the text of a revision; `nil` for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard text.utf8.count <= 60, parts.count == 2, let number = Int64(parts[0]), number >= -1,
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        self.init(number: number, transaction: TransactionIdentifier(String(parts[1])))
    }

    /// The text that a seller's server gets, and sends again.
    package var text: String { "\(number)_\(transaction)" }
}
