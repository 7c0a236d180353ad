// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

extension StoreLife {
    /// A subscription that is declined, bought, renewed by the housekeeping
    /// and then not paid, and a clock that can't be set back.
    func renewOnTime() async throws {
        try await store.sellBaskets(graceDays: 16)
        let bodo = try await store.subscriber(21)
        store.cardLimit.milliunits = 0
        let declined = try bodo.phone.token(try await bodo.phone.ask("small", request: "declined").sheet)
        await #expect(throws: DomainError.self) {
            _ = try await store.service.buy(onSheet: declined, as: bodo.account, shown: nil)
        }
        #expect(try await bodo.subscriptions().isEmpty)
        store.cardLimit.milliunits = .max
        try await bodo.buy("small")
        for limit: Int64 in [.max, 0] {
            store.cardLimit.milliunits = limit
            store.clock.advance(days: 31)
            try await RenewingSubscriptions(store.context)()
        }
        store.cardLimit.milliunits = .max
        #expect(try await bodo.status() == .billingGracePeriod)
        await #expect(throws: DomainError.self) { try await bodo.advance(.to(StoreTime(milliseconds: 0))) }
    }

    /// The clock of a subscriber, the list of the events, and extensions of
    /// paid periods.
    func extend() async throws {
        try await store.sellBaskets()
        let carla = try await store.subscriber(20)
        let bought = try await carla.buy("small")
        try await carla.advance(.later(ClockDuration("32d")))
        _ = try await MovingClock(store.context).nextStep(of: carla.account.identifier)
        let order = RenewalExtension(days: 2, reason: .outage, request: "outage")
        _ = try await ExtendingSubscription(store.context)(
            TransactionIdentifier(bought.transactionIdentifier), by: order)
        _ = try await ExtendingSubscription(store.context)(
            subscribersOf: "small", in: BundleIdentifier(TestStore.bundleIdentifier), by: order)
        let app = BundleIdentifier(TestStore.bundleIdentifier)
        let ordering = OrderingMassExtension(store.context)
        try await ordering("small", in: app, by: order)
        try await CarryingOutMassExtensions(store.context)()
        #expect(try await ordering.progress(of: "outage", product: "small", in: app).completed != nil)
        _ = try await ListingSubscriptionEvents(store.context)(of: carla.account.identifier, after: [:])
        _ = try await ListingSubscriptionEvents(store.context).recent(of: carla.account.identifier)
    }
}
