// SPDX-License-Identifier: Apache-2.0

import StoreDomain

// Answers that come later, and the events that report them.
extension SimulatedProvider {
    /// Answers a payment later, or never.
    func planAnswer(_ outcome: Status, to number: PaymentIdentifier) {
        guard chance.happens(850) else { return }
        planned += 1
        scheduler.after(chance.pause(300..<5000, long: 5000..<150_000, isLong: 400)) { [self] in
            planned -= 1
            if answer(number, with: outcome) { report(outcome, of: number, isKnown: false) }
        }
    }

    /// Sends the event of an answer, and sometimes others, which arrive in any
    /// order. Few answers have no event: the store finds them when it asks.
    func report(_ outcome: Status, of number: PaymentIdentifier, isKnown: Bool) {
        if outcome == .authorised, chance.happens(contradictions) {
            // The payer's bank has refused a first try.
            send(.declined, of: number)
        } else if chance.happens(100) {
            return
        }
        send(outcome == .declined ? .declined : .authorised, of: number)
        if !isKnown, chance.happens(200) { send(.pending, of: number) }
    }

    /// Sends an event once or twice, sooner or later.
    private func send(_ kind: ProviderEvent.Kind, of number: PaymentIdentifier) {
        let event = ProviderEvent(identifier: "event \(scheduler.newName())", payment: number, kind: kind)
        for _ in 0..<(chance.happens(300) ? 2 : 1) {
            planned += 1
            scheduler.after(chance.pause(0..<3000, long: 3000..<60_000, isLong: 200)) { [self] in
                guard chance.happens(500) else { return push(event) { self.planned -= 1 } }
                planned -= 1
                outbox.append(event)
            }
        }
    }

    func events() async throws -> [ProviderEvent] {
        guard !outbox.isEmpty else { return [] }
        return try await call { Array(self.outbox.prefix(100)) }
    }

    func acknowledge(_ events: [ProviderEvent]) async throws {
        try await call { self.outbox.removeAll(where: events.contains) }
    }
}

/// The payment provider, as one process of the store calls it.
struct SimulatedProviderClient: PaymentProvider {
    let provider: SimulatedProvider
    let life: ProcessLife

    func authorise(_ number: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation {
        let call = provider.begins(number, life)
        defer { provider.ended(number, call) }
        return try await provider.authorise(number, amount: amount, method: method)
    }

    func lookUp(_ number: PaymentIdentifier) async throws -> Authorisation? { try await provider.lookUp(number) }

    func capture(_ number: PaymentIdentifier) async throws { try await provider.capture(number) }

    func void(_ number: PaymentIdentifier) async throws { try await provider.void(number) }

    func refund(_ refund: RefundIdentifier, of number: PaymentIdentifier, amount: Money) async throws {
        try await provider.refund(refund, of: number, amount: amount)
    }

    func reverse(_ refund: RefundIdentifier, of number: PaymentIdentifier, amount: Money) async throws {
        try await provider.reverse(refund, of: number, amount: amount)
    }

    func events() async throws -> [ProviderEvent] { try await provider.events() }

    func acknowledge(_ events: [ProviderEvent]) async throws { try await provider.acknowledge(events) }
}
