// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension SandboxPayment {
    /// The payment with the status that it has at a time.
    static func find(_ number: PaymentIdentifier, at now: WallTime, _ connection: any Connection) throws
        -> SandboxPayment?
    {
        try connection.row(
            """
            SELECT status, milliunits, refunded_milliunits, currency, outcome, answers_at, expires_at, has_action, reason
            FROM sandbox_payment WHERE payment_number = $1
            """, [number]
        ).map { row in
            let outcome: String? = try row.get("outcome")
            let answers: Int64? = try row.get("answers_at")
            let expires: Int64? = try row.get("expires_at")
            var payment = SandboxPayment(
                number: number, amount: Money(milliunits: try row.get("milliunits"), currency: try row.get("currency")),
                refunded: try row.get("refunded_milliunits"), status: Status(rawValue: try row.get("status")),
                outcome: outcome.map(Status.init(rawValue:)),
                answersAt: answers.map(WallTime.init(milliseconds:)),
                expires: expires.map(WallTime.init(milliseconds:)), hasAction: try row.get("has_action"),
                reason: try row.get("reason"))
            payment.pass(to: now)
            return payment
        }
    }

    func insert(_ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO sandbox_payment (payment_number, status, milliunits, currency, outcome, answers_at, expires_at,
                has_action, reason)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                number, status.rawValue, amount.milliunits, amount.currency, outcome?.rawValue,
                answersAt?.milliseconds, expires?.milliseconds, hasAction, reason,
            ])
    }

    /// Saves the later answer to a payment, if its time has come.
    static func saveLaterAnswer(to number: PaymentIdentifier, at now: WallTime, _ connection: any Connection) throws {
        try connection.run(
            """
            UPDATE sandbox_payment SET status = outcome, outcome = NULL, answers_at = NULL, created_at = NULL
            WHERE payment_number = $1 AND status = 'pending' AND answers_at <= $2
            """, [number, now.milliseconds])
    }

    /// Saves a refund of the payment; `false` when it was saved before.
    func insertRefund(
        _ refund: RefundIdentifier, of amount: Money, at now: WallTime, _ connection: any Connection
    ) throws -> Bool {
        try connection.run(
            """
            INSERT INTO sandbox_refund (refund_id, payment_number, milliunits, created_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (refund_id) DO NOTHING
            """, [refund, number, amount.milliunits, now.milliseconds]) == 1
    }

    /// Saves that a refund of the payment is taken back, also one whose record
    /// was deleted; `false` when that was saved before.
    func reverseRefund(
        _ refund: RefundIdentifier, of amount: Money, at now: WallTime, _ connection: any Connection
    ) throws -> Bool {
        try connection.run(
            """
            INSERT INTO sandbox_refund (refund_id, payment_number, milliunits, created_at, is_reversed)
            VALUES ($1, $2, $3, $4, 1)
            ON CONFLICT (refund_id) DO UPDATE SET is_reversed = 1, created_at = $4 WHERE sandbox_refund.is_reversed = 0
            """, [refund, number, amount.milliunits, now.milliseconds]) == 1
    }

    /// Saves a new status, which ends a later answer, and the refunded part.
    /// The record's age counts from then (``Retention/settledPayments``).
    func save(_ connection: any Connection) throws {
        try connection.run(
            """
            UPDATE sandbox_payment
            SET status = $2, refunded_milliunits = $3, outcome = NULL, answers_at = NULL, created_at = NULL
            WHERE payment_number = $1
            """, [number, status.rawValue, refunded])
    }
}
