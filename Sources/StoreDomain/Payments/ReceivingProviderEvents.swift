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

    /// The devices that have to be notified of an event's consequence.
    package struct News: Sendable {
        /// The request whose device has to be notified of its state; `nil`
        /// when the event changes no request.
        package var progress: Buying.Progress?
        /// The account whose devices have to be notified of a purchase that
        /// no device asked for.
        package var renewed: AccountIdentifier?
    }

    /// What handling an event has led to.
    package enum Handling: Sendable {
        /// The event was handled now.
        case handled(ProviderEvent, ProviderEvent.Outcome, News)
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
        let limit = now - ProviderEvent.patience
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
                if isHandled { report(.handled(event, .unknownPayment, News())) }
                return
            }
            if let handling = try await settle(payment, by: event) { report(handling) }
        } catch {
            report(.failed(event, error))
        }
    }

    /// Handles an event of a known payment; `nil` when another process has
    /// handled it before.
    private func settle(_ payment: Payment, by event: ProviderEvent) async throws -> Handling? {
        guard let answer = event.authorisation else { return try await record(event, of: payment) }
        if PaymentDecision.settling(payment.status, by: answer) == .commit { try requireDeliverable() }
        faults("event:settling")
        let identifier = context.newTransactionIdentifier()
        var settled: Buying.Settled
        do {
            settled = try await write(for: payment.account, isUrgent: true) { db in
                try Self.once(event, payment, db) {
                    try Buying.settle(payment, by: answer, identifier: identifier, db)
                }
            }
        } catch let error as DomainError where error.code == .notFound {
            settled = try await write(for: payment.account, isUrgent: true) { db in
                try Self.once(event, payment, db) { try Buying.void(payment, because: error, db) }
            }
        }
        faults("event:settled")
        settled = await buying.follow(settled)
        return .handled(
            event, settled.decision.outcome, News(progress: settled.progress, renewed: settled.renewed))
    }

    /// Handles an event that reports a reversal, or no change of the payment.
    private func record(_ event: ProviderEvent, of payment: Payment) async throws -> Handling? {
        let outcome = try await write(for: payment.account, isUrgent: true) { db -> ProviderEvent.Outcome? in
            guard try event.isDue(db) else { return nil }
            var outcome = ProviderEvent.Outcome.ignored
            if let kind = event.reversal, try Reversal.save(kind, of: payment.number, by: event, db) {
                outcome = .reversed
            }
            return try event.becomeHandled(outcome, db) ? outcome : nil
        }
        return outcome.map { .handled(event, $0, News()) }
    }

    /// Runs a closure and records its decision with the event, or returns the
    /// payment's state if the event is handled already: by another process,
    /// or by an earlier run whose commit's answer was lost.
    private static func once(
        _ event: ProviderEvent, _ payment: Payment, _ db: StoreTransaction, _ body: () throws -> Buying.Settled
    ) throws -> Buying.Settled {
        guard try event.isDue(db) else {
            return try Buying.unchanged(try Payment.find(payment.number, db) ?? payment, db)
        }
        let settled = try body()
        _ = try event.becomeHandled(settled.decision.outcome, db)
        return settled
    }
}
