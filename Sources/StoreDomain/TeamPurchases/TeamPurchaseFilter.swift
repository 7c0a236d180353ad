// SPDX-License-Identifier: Apache-2.0

/// The purchases that a list of a team's purchases shows.
package struct TeamPurchaseFilter: Hashable, Sendable {
    /// The state of a purchase.
    package enum State: String, CaseIterable, Sendable {
        case valid, refunded
        /// A customer's device hasn't finished it.
        case unfinished
    }

    /// `nil` for all apps.
    package var app: BundleIdentifier?
    /// `nil` for all kinds.
    package var kind: Product.Kind?
    /// `nil` for all states.
    package var state: State?

    package init() {}

    /// Whether it lets all purchases of its apps through.
    package var takesAll: Bool { kind == nil && state == nil }

    /// Whether a purchase is shown; `isUnfinished` asks the queues of devices.
    func matches(_ purchase: Purchase, isUnfinished: () throws -> Bool) rethrows -> Bool {
        if let kind, purchase.kind != kind { return false }
        return switch state {
        case .valid: purchase.revoked == nil
        case .refunded: purchase.revoked != nil
        case .unfinished: try purchase.revoked == nil && isUnfinished()
        case nil: true
        }
    }
}

extension Purchase.Position {
    /// A place from the address of a page: the milliseconds of the date and the
    /// transaction; `nil` for any other text.
    package init?(text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        // PostgreSQL has no texts with the character 0.
        guard parts.count == 2, let date = Int64(parts[0]), !text.utf8.contains(0) else { return nil }
        self.init(
            date: StoreTime(milliseconds: date), transactionIdentifier: TransactionIdentifier(String(parts[1])))
    }

    /// The place as the address of a page has it.
    package var text: String { "\(date.milliseconds).\(transactionIdentifier)" }
}
