// SPDX-License-Identifier: Apache-2.0

/// A member of the family asks to buy, and the account is a parent's, who
/// answers on the page of the family (`/account/family`).
package struct ChildRequestEvent: NumberedEvent {
    package static let name = "child-request"

    /// The number of the request on the page, and of the future purchase.
    package var transactionIdentifier: String
    package var position: EventPosition

    package init(transactionIdentifier: String, position: EventPosition) {
        self.transactionIdentifier = transactionIdentifier
        self.position = position
    }
}

extension StoreEvent {
    package static func childRequest(_ transactionIdentifier: String, _ position: EventPosition) -> StoreEvent {
        StoreEvent(ChildRequestEvent(transactionIdentifier: transactionIdentifier, position: position))
    }
}
