// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport
import Testing

/// Two customers do the same. The clock of one is moved in one step, that of
/// the other in many: all books of both are the same.
@Suite(.timeLimit(.hang))
struct LongAdvanceTests {
    @Test("One long advance equals many short ones, after any actions", arguments: Engine.stores)
    func sequences(engine: Engine) async throws {
        for seed in 1...(engine.isPostgreSQL ? 4 : 20) as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: 1000 + seed)
            try await engine.withStore { store in
                try await store.sellBaskets(graceDays: [0, 3, 16, 28][Int(seed % 4)])
                let long = try await store.subscriber(0, at: "2026-01-10 20:00:00")
                let short = try await store.subscriber(1, at: "2026-01-10 20:00:00")
                var books = (long: try await Story(of: long), short: try await Story(of: short))
                var story = "seed \(seed):"
                for _ in 0..<15 {
                    let action = SubscriberAction.plain(using: &generator)
                    for customer in [long, short] { try await action.perform(by: customer) }
                    let seconds = SubscriberAction.length(using: &generator)
                    story += " \(action), then \(seconds) s,"
                    try await long.advance(.by(.seconds(seconds)))
                    try await Self.advance(short, seconds, &generator)

                    let (one, many) = (try await books.long.changes(), try await books.short.changes())
                    try #require(one == many, "\(story)")
                }
                #expect(try await long.periods() == short.periods(), "\(story)")
            }
        }
    }

    /// Moves a clock by some days at a time.
    private static func advance(
        _ customer: Subscriber, _ seconds: Int64, _ generator: inout SeededGenerator
    ) async throws {
        var left = seconds
        while left > 0 {
            let step = min(left, Int64.random(in: 1...(6 * 86_400), using: &generator))
            try await customer.advance(.by(.seconds(step)))
            left -= step
        }
    }
}
