// SPDX-License-Identifier: Apache-2.0

/// The price increases of the app's subscriptions that wait for the
/// customer's consent. The store sends it when a stream begins, unless there
/// are none, and after each change.
package struct PriceIncreasesEvent: StoreEventContent {
    package static let name = "price-increases"

    /// Opaque names, by which the device knows an increase again.
    @Limited<PriceIncreases> package var increases: [String]

    package init(increases: [String]) {
        self.increases = increases
    }
}

extension StoreEvent {
    package static func priceIncreases(_ increases: [String]) -> StoreEvent {
        StoreEvent(PriceIncreasesEvent(increases: increases))
    }
}
