// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport
import Testing

extension StoreLife {
    /// Prices that are scheduled, cancelled and begin, and a subscriber who is
    /// informed of a higher one twice, and agrees.
    func changePrices() async throws {
        try await store.sellBaskets()
        let emil = try await store.subscriber(24)
        try await emil.buy("paper")
        let start = store.clock.now + .seconds(60)
        let cancelled = try await store.schedule("paper", "7.99", starts: start)
        try await SchedulingPriceChange(store.context).cancel(cancelled.identifier)
        for price in ["3.49", "3.99"] {
            try await store.raise("paper", to: price)
            store.clock.advance(by: .seconds(1))
        }
        #expect(try await store.changes(of: "paper").count == 2)
        try await emil.answerIncrease(true)
        #expect(try await emil.increase()?.isAgreed == true)
    }
}
