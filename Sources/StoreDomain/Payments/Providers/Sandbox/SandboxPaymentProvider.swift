// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// The sandbox's payment provider. It charges no money, and authorises every
/// payment unless a ``SandboxAnswer`` is set, or its ``SandboxMethod`` decides
/// otherwise. Like a real provider it records its payments, so that their
/// outcome can be looked up after a crash. Its transactions are urgent: a
/// payment is reserved before the provider is called.
package struct SandboxPaymentProvider: PaymentProvider {
    private let database: any Database
    private let clock: WallClock
    private let decline: @Sendable (Money) -> String?

    /// A provider that declines the amounts for which `decline` returns a
    /// sentence, for tests; `nil` authorises the amount.
    package init(
        database: any Database, clock: WallClock, decline: @escaping @Sendable (Money) -> String? = { _ in nil }
    ) {
        self.database = database
        self.clock = clock
        self.decline = decline
    }

    /// Records the payment with the answer of its method, or the one that is set
    /// for its account. Repeating the call returns the recorded answer.
    ///
    /// - Throws: `DatabaseError`.
    package func authorise(_ paymentNumber: PaymentIdentifier, amount: Money, method: String?) async throws
        -> Authorisation
    {
        let reason = decline(amount)
        return try await database.write(.key(paymentNumber.rawValue), isUrgent: true) {
            [now = clock.now()] connection in
            if let known = try SandboxPayment.find(paymentNumber, at: now, connection) { return known.authorisation }
            var payment = SandboxPayment(number: paymentNumber, amount: amount, status: .authorised)
            if let reason {
                payment.status = .declined
                try payment.insert(connection)
                return .declined(reason)
            }
            guard let answer = try SandboxAnswer.take(for: paymentNumber, by: method, at: now, connection) else {
                try payment.insert(connection)
                return .authorised
            }
            payment.status = answer.kind.status
            payment.reason = answer.reason
            if answer.kind == .pending {
                payment.expires = now + answer.lifetime
                payment.hasAction = answer.hasAction
                if let outcome = answer.outcome {
                    payment.outcome = outcome.status
                    payment.answersAt = now + answer.delay
                    for event in answer.events(of: paymentNumber, answering: outcome, at: now + answer.delay) {
                        try event.insert(connection)
                    }
                }
            }
            try payment.insert(connection)
            return payment.authorisation
        }
    }

    /// The current answer; `nil` when there is no payment with that number.
    ///
    /// - Throws: `DatabaseError`.
    package func lookUp(_ paymentNumber: PaymentIdentifier) async throws -> Authorisation? {
        try await database.read(isUrgent: true) { [now = clock.now()] connection in
            try SandboxPayment.find(paymentNumber, at: now, connection)?.authorisation
        }
    }

    /// Records an authorised payment as captured.
    ///
    /// - Throws: ``DomainError`` `notFound` when no payment of that number is
    ///   authorised or captured.
    package func capture(_ paymentNumber: PaymentIdentifier) async throws {
        try await move(paymentNumber, from: [.authorised], to: .captured)
    }

    /// Records an authorised or pending payment as voided. A declined payment
    /// stays declined.
    ///
    /// - Throws: ``DomainError`` `notFound` when no payment of that number is
    ///   authorised, pending, declined or voided.
    package func void(_ paymentNumber: PaymentIdentifier) async throws {
        try await move(paymentNumber, from: [.authorised, .pending], staying: [.declined], to: .voided)
    }

    /// Records a refund once. A captured or authorised payment of which
    /// nothing is left then is refunded.
    ///
    /// - Throws: ``DomainError``: `notFound` when no payment of that number is
    ///   captured, authorised or refunded; `refundTooLarge` for more than is
    ///   left.
    package func refund(
        _ refund: RefundIdentifier, of paymentNumber: PaymentIdentifier, amount: Money
    ) async throws {
        try await database.write(.key(paymentNumber.rawValue), isUrgent: true) { [now = clock.now()] connection in
            guard var payment = try SandboxPayment.find(paymentNumber, at: now, connection),
                [.captured, .authorised, .refunded].contains(payment.status)
            else {
                throw DomainError(.notFound, "The sandbox's provider has no authorised payment \(paymentNumber).")
            }
            // Before refunds had identifiers, a payment was refunded as a whole.
            guard payment.status != .refunded,
                try payment.insertRefund(refund, of: amount, at: now, connection)
            else { return }
            payment.refunded += amount.milliunits
            guard payment.refunded <= payment.amount.milliunits else {
                throw DomainError(.refundTooLarge, "More is given back than payment \(paymentNumber) has collected.")
            }
            if payment.refunded == payment.amount.milliunits { payment.status = .refunded }
            try payment.save(connection)
        }
    }

    /// Records once that a refund is taken back. The payment is captured then.
    ///
    /// - Throws: ``DomainError`` `notFound` when there is no payment of that
    ///   number.
    package func reverse(
        _ refund: RefundIdentifier, of paymentNumber: PaymentIdentifier, amount: Money
    ) async throws {
        try await database.write(.key(paymentNumber.rawValue), isUrgent: true) { [now = clock.now()] connection in
            guard var payment = try SandboxPayment.find(paymentNumber, at: now, connection) else {
                throw DomainError(.notFound, "The sandbox's provider has no payment \(paymentNumber).")
            }
            guard try payment.reverseRefund(refund, of: amount, at: now, connection) else { return }
            payment.refunded = max(0, payment.refunded - amount.milliunits)
            if payment.status == .refunded { payment.status = .captured }
            try payment.save(connection)
        }
    }

    /// The events that are due.
    ///
    /// - Throws: `DatabaseError`.
    package func events() async throws -> [ProviderEvent] {
        try await database.read(isUrgent: true) { [now = clock.now()] connection in
            try SandboxEvent.due(at: now, connection)
        }
    }

    /// Removes the events that are due, and saves the answers that they
    /// report.
    ///
    /// - Throws: `DatabaseError`.
    package func acknowledge(_ events: [ProviderEvent]) async throws {
        for event in events {
            try await database.write(.key(event.payment.rawValue), isUrgent: true) { [now = clock.now()] connection in
                try SandboxEvent.remove(event, dueAt: now, connection)
                try SandboxPayment.saveLaterAnswer(to: event.payment, at: now, connection)
            }
        }
    }

    private func move(
        _ paymentNumber: PaymentIdentifier, from old: [SandboxPayment.Status],
        staying: [SandboxPayment.Status] = [], to new: SandboxPayment.Status
    ) async throws {
        try await database.write(.key(paymentNumber.rawValue), isUrgent: true) { [now = clock.now()] connection in
            guard var payment = try SandboxPayment.find(paymentNumber, at: now, connection),
                (old + staying + [new]).contains(payment.status)
            else {
                throw DomainError(.notFound, "The sandbox's provider has no authorised payment \(paymentNumber).")
            }
            guard old.contains(payment.status) else { return }
            payment.status = new
            try payment.save(connection)
        }
    }
}
