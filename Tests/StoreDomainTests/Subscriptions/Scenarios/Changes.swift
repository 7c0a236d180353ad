// SPDX-License-Identifier: Apache-2.0

/// Everything that has changed for an account between two moments of a story,
/// as lines of text. A line that isn't there any more begins with `gone:`.
struct Changes: Equatable, Sendable {
    /// New events of the subscriptions, in order of their moments.
    var events: [String] = []
    /// New entries of the ledger.
    var ledger: [String] = []
    /// Unfinished transactions on the phone and on the tablet.
    var phone: [String] = []
    var tablet: [String] = []
    /// Transactions in the app receipt.
    var receipt: [String] = []
    /// The entry of each subscription in `pending_renewal_info`, with its
    /// state. It is complete, also when nothing has changed.
    var now: [String]

    /// The same with a period that was paid and delivered to the phone.
    func paid(
        _ product: String, _ milliunits: Int64, _ start: String, to end: String, at charged: String? = nil
    ) -> Changes {
        var changes = self
        changes.ledger.append("\(charged ?? start) charge \(milliunits) USD")
        changes.phone.append("\(product) \(start)")
        changes.receipt.append("\(product) \(start) to \(end)")
        return changes
    }

    /// The differences between two looks at the same books.
    init(from before: Changes, to after: Changes) {
        events = Self.lines(before.events, after.events)
        ledger = Self.lines(before.ledger, after.ledger)
        phone = Self.lines(before.phone, after.phone)
        tablet = Self.lines(before.tablet, after.tablet)
        receipt = Self.lines(before.receipt, after.receipt)
        now = after.now
    }

    init(
        events: [String] = [], ledger: [String] = [], phone: [String] = [], tablet: [String] = [],
        receipt: [String] = [], now: [String]
    ) {
        self.events = events
        self.ledger = ledger
        self.phone = phone
        self.tablet = tablet
        self.receipt = receipt
        self.now = now
    }

    private static func lines(_ before: [String], _ after: [String]) -> [String] {
        let difference = after.difference(from: before)
        return (difference.removals + difference.insertions).map { change in
            switch change {
            case .remove(_, let line, _): "gone: \(line)"
            case .insert(_, let line, _): line
            }
        }
    }
}
