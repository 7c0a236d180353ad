// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The calls about clocks, and those that wait for the events that follow.
extension StoreService {
    /// Carries out one of the calls `clock`, `moveClock` and
    /// `subscriptionEvents`.
    func controlClock(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        switch verb {
        case .moveClock:
            let call = try decode(Control.MoveClockCall.self, from: body, of: verb.rawValue)
            let begun = try await advancing.begin(email: call.email, call.move())
            let page = try await advancing.goOn(with: begun.moved.account, after: begun.positions)
            return try encode(
                Control.MoveClockAnswer(
                    from: begun.moved.from.iso8601, clock: try await clock(of: call.email),
                    page: Control.SubscriptionEventsAnswer(page)))
        case .subscriptionEvents:
            let call = try decode(Control.SubscriptionEventsCall.self, from: body, of: verb.rawValue)
            return try encode(try await events(call))
        default:
            let call = try decode(Control.ClockCall.self, from: body, of: verb.rawValue)
            return try encode(try await clock(of: call.email))
        }
    }

    private var advancing: AdvancingClock {
        AdvancingClock(context, requireDeliverable: { [self] in try requireDeliverable() })
    }

    private func clock(of email: String) async throws -> Control.ClockAnswer {
        let current = try await MovingClock(context).current(email: email)
        let next = try await MovingClock(context).nextStep(of: current.account)
        return Control.ClockAnswer(
            email: Account.normalized(email), time: current.to.iso8601, offset: current.clock.offset / 1000,
            speed: current.clock.speed.rawValue, nextEvent: next?.iso8601)
    }

    private func events(_ call: Control.SubscriptionEventsCall) async throws -> Control.SubscriptionEventsAnswer {
        let account = try await account(call.email).identifier
        let positions = ListingSubscriptionEvents.Positions(
            call.after.map { (OriginalTransactionIdentifier($0.subscription), $0.number) }, uniquingKeysWith: max)
        guard call.waits == true else {
            return Control.SubscriptionEventsAnswer(
                try await ListingSubscriptionEvents(context)(of: account, after: positions))
        }
        return Control.SubscriptionEventsAnswer(try await advancing.goOn(with: account, after: positions))
    }
}

extension Control.MoveClockCall {
    /// The change that the call asks for.
    ///
    /// - Throws: `DomainError` `invalid` when it is none or more than one, or
    ///   has a value that can't be read.
    func move() throws -> MovingClock.Move {
        switch (to, by, toNextEvent ?? false, speed) {
        case (let to?, nil, false, nil):
            guard let moment = StoreTime(iso8601: to) else {
                throw DomainError(
                    .invalid,
                    """
                    "\(to.prefix(64))" isn't a moment of the years 2000 to 9999: write 2026-03-01T00:00:00Z or \
                    2026-03-01.
                    """)
            }
            return .to(moment)
        case (nil, let by?, false, nil): return .later(try ClockDuration(by))
        case (nil, nil, true, nil): return .toNextStep
        case (nil, nil, false, let name?):
            guard let speed = RenewalSpeed(rawValue: name) else {
                let names = RenewalSpeed.all.map(\.rawValue).joined(separator: ", ")
                throw DomainError(.invalid, "There is no speed \"\(name.prefix(64))\". The speeds are \(names).")
            }
            return .speed(speed)
        default: throw DomainError(.invalid, "Give one of to, by, toNextEvent and speed.")
        }
    }
}

extension Control.SubscriptionEventsAnswer {
    init(_ page: AdvancingClock.Page) {
        self.init(
            events: page.events.map(Control.SubscriptionEventAnswer.init),
            next: page.isLast ? nil : Control.SubscriptionPosition.list(page.positions))
    }

    init(_ page: ListingSubscriptionEvents.Page) {
        self.init(
            events: page.events.map(Control.SubscriptionEventAnswer.init),
            next: page.hasMore ? Control.SubscriptionPosition.list(page.positions) : nil)
    }
}

extension Control.SubscriptionPosition {
    static func list(_ positions: ListingSubscriptionEvents.Positions) -> [Control.SubscriptionPosition] {
        positions.sorted { $0.key < $1.key }.map {
            Control.SubscriptionPosition(subscription: $0.key.rawValue, number: $0.value)
        }
    }
}

extension Control.SubscriptionEventAnswer {
    init(_ dated: DatedEvent) {
        self.init(
            time: dated.event.at.iso8601, kind: dated.event.kind.rawValue, product: dated.product.rawValue,
            transaction: dated.transaction.rawValue, subscription: dated.original.rawValue,
            bundle: dated.bundleIdentifier.rawValue,
            until: (dated.event.until ?? dated.event.period?.end)?.iso8601,
            expirationIntent: dated.event.reason?.rawValue)
    }
}
