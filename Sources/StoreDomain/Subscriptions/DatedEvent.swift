// SPDX-License-Identifier: Apache-2.0

/// An event of a subscription with its place in the history.
package struct DatedEvent: Hashable, Sendable {
    package var bundleIdentifier: BundleIdentifier
    package var original: OriginalTransactionIdentifier
    /// The number of the event among those of its subscription; the first has
    /// the number 1.
    package var number: Int64
    package var event: SubscriptionEvent
    /// The product that the event names, or else that of the period in which
    /// it happened.
    package var product: ProductIdentifier
    /// The transaction that the event names, or else that of the period in
    /// which it happened.
    package var transaction: TransactionIdentifier

    /// Merges the events of several subscriptions in order of their moments.
    /// The events of each subscription keep their order, also when one that
    /// the provider has answered late is followed by one that was due earlier.
    static func merged(_ histories: [[DatedEvent]]) -> [DatedEvent] {
        var placed: [(latest: StoreTime, history: Int, event: DatedEvent)] = []
        for (number, history) in histories.enumerated() {
            var latest: StoreTime?
            for event in history {
                let moment = max(latest ?? event.event.at, event.event.at)
                latest = moment
                placed.append((moment, number, event))
            }
        }
        return placed.sorted {
            ($0.latest, $0.history, $0.event.number) < ($1.latest, $1.history, $1.event.number)
        }.map(\.event)
    }
}
