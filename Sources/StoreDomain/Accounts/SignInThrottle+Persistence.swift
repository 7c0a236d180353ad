// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension SignInThrottle {
    private init(_ row: Row, of subject: Subject) throws {
        self.init(
            subject: subject, failures: try row.get("failures"),
            failed: WallTime(milliseconds: try row.get("failed_at")),
            blockedUntil: WallTime(milliseconds: try row.get("blocked_until")))
    }

    /// The count of a subject, which no other transaction changes until this
    /// one ends. Stores an empty one when there is none.
    static func hold(_ subject: Subject, _ db: StoreTransaction) throws -> SignInThrottle {
        try db.row(
            """
            INSERT INTO sign_in_throttle (environment, kind, subject, failures, failed_at, blocked_until)
            VALUES ($1, $2, $3, 0, 0, 0)
            ON CONFLICT (environment, kind, subject) DO UPDATE SET failures = sign_in_throttle.failures
            RETURNING failures, failed_at, blocked_until
            """, [db.environment.rawValue, subject.kind.rawValue, subject.name]
        ).map { try SignInThrottle($0, of: subject) } ?? SignInThrottle(subject: subject)
    }

    /// As ``hold(_:_:)``; `nil` when none is stored.
    private static func holdStored(_ subject: Subject, _ db: StoreTransaction) throws -> SignInThrottle? {
        try db.row(
            """
            UPDATE sign_in_throttle SET failures = failures
            WHERE environment = $1 AND kind = $2 AND subject = $3
            RETURNING failures, failed_at, blocked_until
            """, [db.environment.rawValue, subject.kind.rawValue, subject.name]
        ).map { try SignInThrottle($0, of: subject) }
    }

    func save(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO sign_in_throttle (environment, kind, subject, failures, failed_at, blocked_until)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (environment, kind, subject) DO UPDATE SET failures = excluded.failures,
                failed_at = excluded.failed_at, blocked_until = excluded.blocked_until
            """,
            [
                db.environment.rawValue, subject.kind.rawValue, subject.name, failures, failed.milliseconds,
                blockedUntil.milliseconds,
            ])
    }

    /// Counts a try for its subjects, before it is checked.
    ///
    /// The counts of the subjects are locked before they are read: parallel
    /// tries must not overwrite each other's counts. The subjects are locked in
    /// their order, here and in the writes that follow, because transactions
    /// that lock the same rows in different orders could deadlock.
    ///
    /// - Throws: ``DomainError`` `throttled` when a subject has to wait.
    static func countTry(of subjects: [Subject], _ db: StoreTransaction) throws -> [Count] {
        let throttles = try subjects.map { try hold($0, db) }
        for throttle in throttles {
            if let wait = throttle.wait(now: db.now) { throw DomainError.throttled(for: wait) }
        }
        return try throttles.map { throttle in
            var counted = throttle
            let count = counted.count(now: db.now)
            try counted.save(db)
            return count
        }
    }

    /// Takes back a counted try. Does nothing when the count of its subject
    /// was deleted meanwhile.
    static func takeBack(_ count: Count, _ db: StoreTransaction) throws {
        guard var throttle = try holdStored(count.subject, db), throttle.failures > 0 else { return }
        throttle.takeBack(count)
        try throttle.save(db)
    }

    static func forget(_ subject: Subject, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM sign_in_throttle WHERE environment = $1 AND kind = $2 AND subject = $3",
            [db.environment.rawValue, subject.kind.rawValue, subject.name])
    }

    /// Deletes the counts of an account's e-mail address, including those on
    /// the devices on which the account is signed in.
    static func forgetAll(of account: Account, _ db: StoreTransaction) throws {
        try forget(.account(account.email), db)
        try forget(.messages(to: account.email), db)
        try db.run(
            """
            DELETE FROM sign_in_throttle
            WHERE environment = $1 AND kind = $2 AND subject IN (
                SELECT device_id || ' ' || $3 FROM device WHERE environment = $1 AND account_id = $4)
            """,
            [db.environment.rawValue, Subject.Kind.accountOnDevice.rawValue, account.email, account.identifier])
    }
}
