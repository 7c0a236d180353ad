// SPDX-License-Identifier: Apache-2.0

/// The device was signed in or out. The stream ends after this; open a new
/// one.
package struct AccountChangedEvent: StoreEventContent {
    package static let name = "account"

    /// The number of the device's news, after which the device's next stream
    /// continues; `nil` from a store that doesn't number them.
    @Limited<NewsNumber> package var number: Int64?

    package init(number: Int64? = nil) {
        self.number = number
    }
}

extension StoreEvent {
    package static var accountChanged: StoreEvent { accountChanged(number: nil) }

    package static func accountChanged(number: Int64?) -> StoreEvent {
        StoreEvent(AccountChangedEvent(number: number))
    }
}
