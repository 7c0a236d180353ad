// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Answers a payment of the sandbox in the place of a customer or a bank. The
/// provider then sends an event about it.
package struct AnsweringSandboxPayment: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The payment for the page on which its customer acts.
    ///
    /// - Throws: ``DomainError`` `notFound`, also for a payment without such
    ///   a page.
    package func page(_ payment: PaymentIdentifier) async throws -> SandboxPayment {
        try await read { db in
            guard let payment = try SandboxPayment.find(payment, at: db.now, db), payment.hasAction else {
                throw SandboxPayment.unknown
            }
            return payment
        }
    }

    /// Answers a payment on its customer's page.
    ///
    /// - Throws: ``DomainError``: `notFound`, `decided` for a payment that is
    ///   answered or has expired.
    package func onPage(_ payment: PaymentIdentifier, isConfirmed: Bool) async throws {
        guard environment == .sandbox else { throw SandboxPayment.noSandbox }
        try await write(.key(payment.rawValue)) { db in
            guard let found = try SandboxPayment.find(payment, at: db.now, db), found.hasAction else {
                throw SandboxPayment.unknown
            }
            if let refusal = found.refusal(at: db.now) { throw refusal }
            try Self.answer(found, with: isConfirmed ? .authorise : .decline, db)
        }
    }

    /// Answers a payment in any state, as a bank does that is late or
    /// contradicts itself. A captured, refunded or voided payment stays so in
    /// the provider's books, and only the event is sent.
    ///
    /// - Throws: ``DomainError``: `notFound`; `invalid` outside of the sandbox.
    package func callAsFunction(_ payment: PaymentIdentifier, isConfirmed: Bool) async throws {
        guard environment == .sandbox else { throw SandboxPayment.noSandbox }
        try await write(.key(payment.rawValue)) { db in
            guard let found = try SandboxPayment.find(payment, at: db.now, db) else { throw SandboxPayment.unknown }
            try Self.answer(found, with: isConfirmed ? .authorise : .decline, db)
        }
    }

    private static func answer(
        _ payment: SandboxPayment, with kind: SandboxAnswer.Kind, _ db: StoreTransaction
    ) throws {
        var payment = payment
        if payment.status == .pending {
            // The answer replaces the planned one.
            try db.run("DELETE FROM sandbox_event WHERE payment_number = $1", [payment.number])
        }
        if payment.status == .pending || payment.status == .declined {
            payment.status = kind.status
            try payment.save(db)
        }
        let settings = try SandboxAnswer.find(for: payment.number, by: nil, at: db.now, db) ?? SandboxAnswer()
        for event in settings.events(of: payment.number, answering: kind, at: db.now) { try event.insert(db) }
    }
}
