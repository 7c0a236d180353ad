// SPDX-License-Identifier: Apache-2.0

import StoreService

/// The JSON of a clock that was moved. The keys never change.
private struct MovedClock: Encodable {
    var from: String
    var clock: Control.ClockAnswer
    var events: [Control.SubscriptionEventAnswer]
}

extension ClockArguments {
    /// Changes the clock, waits until nothing is due any more, and prints the
    /// events. Each call waits for less than a client's time-out.
    func move(_ call: Control.MoveClockCall) async throws {
        try await storectl.run {
            let begun: Control.MoveClockAnswer = try await control.call(
                .moveClock, call, remedy: "If storectl clock show \(account) prints the new time, \(goingOn)")
            var moved = MovedClock(from: begun.from, clock: begun.clock, events: [])
            var page = begun.page
            take(page, into: &moved)
            while let next = page.next {
                page = try await control.call(
                    .subscriptionEvents, Control.SubscriptionEventsCall(email: account, after: next, waits: true),
                    remedy: "The clock is moved to \(begun.clock.time): \(goingOn)")
                take(page, into: &moved)
            }
            // The next event is known only now.
            moved.clock = try await control.call(.clock, Control.ClockCall(email: account))
            if json { return try printJSON(moved) }
            print(moved.clock.line)
        }
    }

    private var goingOn: String {
        """
        the store goes on without storectl, storectl clock advance \(account) 0s waits for it, and storectl \
        subscription list \(account) --history prints all events.
        """
    }

    private func take(_ page: Control.SubscriptionEventsAnswer, into moved: inout MovedClock) {
        moved.events += page.events
        guard !json else { return }
        for event in page.events { print(event.line) }
    }
}

extension Control.ClockAnswer {
    /// One line about the clock.
    var line: String {
        let difference = offset == 0 ? "the wall's time" : "\(offset > 0 ? "+" : "")\(offset) s to the wall's time"
        let next = nextEvent.map { ", next event at \($0)" } ?? ""
        return "\(email): \(time), \(difference), speed \(speed)\(next)"
    }
}

extension Control.SubscriptionEventAnswer {
    /// One line about the event.
    var line: String {
        let end = until.map { " until \($0)" } ?? ""
        let intent = expirationIntent.map { " (expiration intent \($0))" } ?? ""
        return "\(time) \(kind) \(product) \(transaction)\(end)\(intent)"
    }
}
