// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

extension SandboxAnswer {
    private init(_ row: Row) throws {
        self.init()
        kind = Kind(rawValue: try row.get("answer"))
        hasAction = try row.get("has_action")
        lifetime = .milliseconds(try row.get("lifetime") as Int64)
        let outcome: String? = try row.get("outcome")
        self.outcome = outcome.map(Kind.init(rawValue:))
        delay = .milliseconds(try row.get("delay") as Int64)
        isSentTwice = try row.get("is_sent_twice")
        isOutOfOrder = try row.get("is_out_of_order")
        times = try row.get("times")
        reason = try row.get("reason")
    }

    /// The answer to a payment that the store has recorded, and whose method has
    /// a reference: that of the method, its payer's, or else that of all
    /// accounts.
    static func find(
        for payment: PaymentIdentifier, by method: String?, at now: WallTime, _ connection: any Connection
    ) throws -> SandboxAnswer? {
        if let answer = try forced(payment, by: method, at: now, connection) { return answer }
        // Names all environments, so that the engine uses the primary key.
        let environments = StoreEnvironment.all.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try connection.row(
            """
            SELECT answer, has_action, lifetime, outcome, delay, is_sent_twice, is_out_of_order, times, reason
            FROM sandbox_answer
            WHERE account_id = '' OR account_id = (
                SELECT payer_id FROM payment WHERE environment IN (\(environments)) AND payment_number = $1)
            ORDER BY account_id DESC LIMIT 1
            """, [payment]
        ).map(SandboxAnswer.init)
    }

    /// The answer to a payment that is answered now. One that is counted is
    /// given once less afterwards, and is removed after the last time.
    static func take(
        for payment: PaymentIdentifier, by method: String?, at now: WallTime, _ connection: any Connection
    ) throws -> SandboxAnswer? {
        guard let answer = try find(for: payment, by: method, at: now, connection) else { return nil }
        guard answer.times != nil else { return answer }
        let environments = StoreEnvironment.all.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        // The row of `find`: decided again in the statement that changes it.
        let taken = try connection.run(
            """
            UPDATE sandbox_answer SET times = times - 1
            WHERE times > 0 AND account_id = (
                SELECT account_id FROM sandbox_answer
                WHERE account_id = '' OR account_id = (
                    SELECT payer_id FROM payment WHERE environment IN (\(environments)) AND payment_number = $1)
                ORDER BY account_id DESC LIMIT 1)
            """, [payment])
        try connection.run("DELETE FROM sandbox_answer WHERE times = 0", [])
        return taken > 0 ? answer : nil
    }

    /// The answer of a tester's switch (``AccountSwitch/declinesPayments``), or
    /// that of the method; `nil` when neither decides.
    private static func forced(
        _ payment: PaymentIdentifier, by method: String?, at now: WallTime, _ connection: any Connection
    ) throws -> SandboxAnswer? {
        guard
            let row = try connection.row(
                """
                SELECT account.\(AccountSwitch.declinesPayments.column) AS is_declined, account.clock_offset,
                    payment.due_store_at
                FROM payment JOIN account
                    ON account.environment = payment.environment AND account.account_id = payment.payer_id
                WHERE payment.environment = $1 AND payment.payment_number = $2
                """, [StoreEnvironment.sandbox.rawValue, payment])
        else { return nil }
        if try row.get("is_declined") {
            var answer = SandboxAnswer()
            answer.kind = .decline
            return answer
        }
        let due: Int64? = try row.get("due_store_at")
        let offset: Int64 = try row.get("clock_offset")
        let time = StoreTime(milliseconds: due ?? now.milliseconds + offset)
        return method.flatMap { SandboxMethod.answer(to: $0, at: time, isRenewal: due != nil) }
    }

    /// Saves the answer for an account, or for all accounts; `nil` removes
    /// the one that was saved.
    static func save(_ answer: SandboxAnswer?, for account: AccountIdentifier?, _ connection: any Connection) throws {
        try connection.run("DELETE FROM sandbox_answer WHERE account_id = $1", [account ?? ""])
        guard let answer else { return }
        try connection.run(
            """
            INSERT INTO sandbox_answer (account_id, answer, has_action, lifetime, outcome, delay, is_sent_twice,
                is_out_of_order, times, reason)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                account ?? "", answer.kind.rawValue, answer.hasAction, answer.lifetime.milliseconds,
                answer.outcome?.rawValue, answer.delay.milliseconds, answer.isSentTwice, answer.isOutOfOrder,
                answer.times, answer.reason,
            ])
    }
}

extension SandboxEvent {
    func insert(_ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO sandbox_event (event_id, sending, payment_number, kind, due_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (event_id, sending) DO NOTHING
            """, [event.identifier, sending, event.payment, event.kind.rawValue, due.milliseconds])
    }

    /// The events that are due, oldest first, at most a hundred.
    static func due(at now: WallTime, _ connection: any Connection) throws -> [ProviderEvent] {
        try connection.rows(
            """
            SELECT event_id, payment_number, kind FROM sandbox_event
            WHERE due_at <= $1 ORDER BY due_at, event_id, sending LIMIT 100
            """, [now.milliseconds]
        ).map { row in
            let kind = ProviderEvent.Kind(rawValue: try row.get("kind"))
            return ProviderEvent(
                identifier: try row.get("event_id"), payment: try row.get("payment_number"), kind: kind,
                message: kind == .declined ? SandboxPayment.declined : nil)
        }
    }

    /// Removes the sendings of an event that are due.
    static func remove(_ event: ProviderEvent, dueAt now: WallTime, _ connection: any Connection) throws {
        try connection.run(
            "DELETE FROM sandbox_event WHERE event_id = $1 AND due_at <= $2", [event.identifier, now.milliseconds])
    }
}
