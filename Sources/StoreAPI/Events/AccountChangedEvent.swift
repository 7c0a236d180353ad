// SPDX-License-Identifier: Apache-2.0

/// The device was signed in or out. The stream ends after this; open a new
/// one.
package struct AccountChangedEvent: StoreEventContent {
    package static let name = "account"

    package init() {}
}

extension StoreEvent {
    package static var accountChanged: StoreEvent { StoreEvent(AccountChangedEvent()) }
}
