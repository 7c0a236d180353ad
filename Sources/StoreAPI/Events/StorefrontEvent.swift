// SPDX-License-Identifier: Apache-2.0

/// The account has another storefront from now on.
package struct StorefrontEvent: NumberedEvent {
    package static let name = "storefront"

    package var storefront: StorefrontInfo
    package var position: EventPosition

    package init(storefront: StorefrontInfo, position: EventPosition) {
        self.storefront = storefront
        self.position = position
    }
}

extension StoreEvent {
    package static func storefront(_ storefront: StorefrontInfo, _ position: EventPosition) -> StoreEvent {
        StoreEvent(StorefrontEvent(storefront: storefront, position: position))
    }
}
