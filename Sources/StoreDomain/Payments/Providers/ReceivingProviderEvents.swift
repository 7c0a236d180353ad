// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Takes the events of the payment provider. An event is saved before it is
/// handled, and is handled once, in the transaction that changes its payment.
///
/// When the process ends between two steps, ``handleDue(report:)`` handles
/// the event later.
package struct ReceivingProviderEvents: UseCase {
    package let context: StoreContext
    private let requireDeliverable: @Sendable () throws -> Void

    /// Makes the use case. `requireDeliverable` throws while no purchase can
    /// be delivered: an event that leads to one then waits.
    package init(_ context: StoreContext, requireDeliverable: @escaping @Sendable () throws -> Void = {}) {
        self.context = context
        self.requireDeliverable = requireDeliverable
    }

    private var buying: Buying { Buying(context) }

    /// The result of handling an event.
    package enum Handling: Sendable {
        /// The event was handled now. The progress is that of the payment's
        /// request; `nil` when the event changes no request.
        case handled(ProviderEvent, ProviderEvent.Consequence, Buying.Progress?)
        /// The event waits; the next call of ``handleDue(report:)`` tries
        /// again.
        case failed(ProviderEvent, any Error)
    }

    /// Saves an event, and handles it if it is new and its payment is known.
    ///
    /// - Throws: `DatabaseError` when the event isn't saved: the provider has
    ///   to send it again. An error after that is reported.
    package func callAsFunction(_ event: ProviderEvent, report: @Sendable (Handling) -> Void) async throws {
        faults("event:before")
        // A repeated event may find that the process ended before it handled
        // the first one.
        let isDue = try await write(.key(event.identifier), isUrgent: true) { db in
            try event.insert(db) || event.isDue(db)
        }
        faults("event:saved")
        if isDue { await handle(event, isOld: false, report: report) }
    }

    /// Fetches the events that the provider has for the store, saves each,
    /// and handles it. An event is acknowledged after it was saved.
    ///
    /// - Throws: The provider's errors, and those of the database.
    package func fetch(report: @Sendable (Handling) -> Void) async throws {
        let events = try await context.provider.events()
        guard !events.isEmpty else { return }
        for event in events { try await self(event, report: report) }
        faults("events:saved")
        try await context.provider.acknowledge(events)
    }

    /// Handles the events that no process has handled yet.
    ///
    /// - Throws: `DatabaseError`.
    package func handleDue(report: @Sendable (Handling) -> Void) async throws {
        let limit = now - ProviderEvent.waitingLimit
        var last: ProviderEvent.Received?
        while true {
            let due = try await read(isUrgent: true) { [last] db in
                try ProviderEvent.due(after: last, db)
            }
            guard let final = due.last else { return }
            last = final
            for received in due { await handle(received.event, isOld: received.at <= limit, report: report) }
        }
    }

    private func handle(_ event: ProviderEvent, isOld: Bool, report: @Sendable (Handling) -> Void) async {
        do {
            guard let payment = try await read(isUrgent: true, { db in try Payment.find(event.payment, db) }) else {
                // The payment's row may be committed later.
                guard isOld else { return }
                let isHandled = try await write(.key(event.identifier), isUrgent: true) { db in
                    try event.becomeHandled(.unknownPayment, db)
                }
                if isHandled { report(.handled(event, .unknownPayment, nil)) }
                return
            }
            if let handling = try await settle(payment, by: event, isOld: isOld) { report(handling) }
        } catch {
            report(.failed(event, error))
        }
    }

    /// Handles an event of a known payment; `nil` when another process has
    /// handled it before.
    private func settle(_ payment: Payment, by event: ProviderEvent, isOld: Bool) async throws -> Handling? {
        guard let answer = event.authorisation else { return try await record(event, of: payment, isOld: isOld) }
        if PaymentDecision.settling(payment.status, by: answer) == .commit { try requireDeliverable() }
        faults("event:settling")
        let identifier = context.newTransactionIdentifier(for: payment.account)
        let settled: Buying.Settled?
        do {
            settled = try await write(for: payment.account, isUrgent: true) { db in
                try Self.once(event, db) {
                    try Buying.settle(payment, by: answer, identifier: identifier, db)
                }
            }
        } catch let error as DomainError where error.code == .notFound {
            settled = try await write(for: payment.account, isUrgent: true) { db in
                try Self.once(event, db) { try Buying.void(payment, because: error, db) }
            }
        }
        faults("event:settled")
        // The process that has handled the event also captures or releases
        // the amount, or recovery does.
        guard let settled else { return nil }
        return .handled(event, settled.decision.outcome, await buying.follow(settled).progress)
    }

    /// Handles an event that reports a reversal, or no change of the payment;
    /// `nil` when another process has handled it before, or it waits.
    private func record(_ event: ProviderEvent, of payment: Payment, isOld: Bool) async throws -> Handling? {
        let outcome = try await write(for: payment.account, isUrgent: true) { db -> ProviderEvent.Consequence? in
            guard try event.isDue(db) else { return nil }
            var outcome = ProviderEvent.Consequence.ignored
            if let kind = event.reversal, try Reversal.save(kind, of: payment, by: event, db) {
                outcome = .reversed
            }
            // The event of the dispute may arrive later.
            if outcome == .ignored, !isOld, event.endsDispute { return nil }
            return try event.becomeHandled(outcome, db) ? outcome : nil
        }
        return outcome.map { .handled(event, $0, nil) }
    }

    /// Runs a closure and records its decision with the event; `nil` if the
    /// event is handled already: by another process, or by an earlier run
    /// whose commit's answer was lost.
    private static func once(
        _ event: ProviderEvent, _ db: StoreTransaction, _ body: () throws -> Buying.Settled
    ) throws -> Buying.Settled? {
        guard try event.isDue(db) else { return nil }
        let settled = try body()
        _ = try event.becomeHandled(settled.decision.outcome, db)
        return settled
    }
}
