// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// The sandbox's payment provider. It authorises every payment and charges no
/// money. Like a real provider it records its payments, so that their outcome
/// can be looked up after a crash. Its transactions are urgent: a payment is
/// reserved before the provider is called.
package struct SandboxPaymentProvider: PaymentProvider {
    private let database: any Database
    private let decline: @Sendable (Money) -> String?

    /// A provider that declines the amounts for which `decline` returns a
    /// sentence, for tests; `nil` authorises the amount.
    package init(database: any Database, decline: @escaping @Sendable (Money) -> String? = { _ in nil }) {
        self.database = database
        self.decline = decline
    }

    /// Records the payment as authorised or declined. Repeating the call
    /// returns the recorded answer.
    ///
    /// - Throws: `DatabaseError`.
    package func authorise(_ paymentNumber: PaymentIdentifier, amount: Money) async throws -> Authorisation {
        let reason = decline(amount)
        return try await database.write(.key(paymentNumber.rawValue), isUrgent: true) { connection in
            if let known = try Self.find(paymentNumber, connection) { return known }
            try connection.run(
                """
                INSERT INTO sandbox_payment (payment_number, status, milliunits, currency)
                VALUES ($1, $2, $3, $4)
                """,
                [paymentNumber, reason == nil ? "authorised" : "declined", amount.milliunits, amount.currency])
            return reason.map(Authorisation.declined) ?? .authorised
        }
    }

    /// The recorded answer; `nil` when there is no payment with that number.
    ///
    /// - Throws: `DatabaseError`.
    package func lookUp(_ paymentNumber: PaymentIdentifier) async throws -> Authorisation? {
        try await database.read(isUrgent: true) { try Self.find(paymentNumber, $0) }
    }

    /// Records an authorised payment as captured.
    ///
    /// - Throws: ``DomainError`` `notFound` when no payment of that number is
    ///   authorised or captured.
    package func capture(_ paymentNumber: PaymentIdentifier) async throws {
        try await move(paymentNumber, from: "authorised", to: "captured")
    }

    /// Records an authorised payment as voided.
    ///
    /// - Throws: ``DomainError`` `notFound` when no payment of that number is
    ///   authorised or voided.
    package func void(_ paymentNumber: PaymentIdentifier) async throws {
        try await move(paymentNumber, from: "authorised", to: "voided")
    }

    /// Records a captured or authorised payment as refunded.
    ///
    /// - Throws: ``DomainError`` `notFound` when no payment of that number is
    ///   captured, authorised or refunded.
    package func refund(_ paymentNumber: PaymentIdentifier) async throws {
        try await move(paymentNumber, from: "captured", or: "authorised", to: "refunded")
    }

    /// Moves a record. Its age counts from the new status
    /// (``Retention/settledPayments``).
    private func move(
        _ paymentNumber: PaymentIdentifier, from old: String, or other: String? = nil, to new: String
    ) async throws {
        try await database.write(.key(paymentNumber.rawValue), isUrgent: true) { connection in
            let changed = try connection.run(
                """
                UPDATE sandbox_payment
                SET status = $4, created_at = CASE WHEN status = $4 THEN created_at ELSE NULL END
                WHERE payment_number = $1 AND status IN ($2, $3, $4)
                """, [paymentNumber, old, other ?? old, new])
            guard changed == 1 else {
                throw DomainError(.notFound, "The sandbox's provider has no authorised payment \(paymentNumber).")
            }
        }
    }

    private static func find(_ paymentNumber: PaymentIdentifier, _ connection: any Connection) throws -> Authorisation?
    {
        try connection.row("SELECT status FROM sandbox_payment WHERE payment_number = $1", [paymentNumber])
            .map { row in
                let status: String = try row.get("status")
                return status == "declined" ? .declined("The card was declined.") : .authorised
            }
    }
}
