// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension MailOrder {
    private static let columns = """
        order_id, kind, recipient, account_id, password_number, transaction_id, team_id, language, tries, due_at
        """

    private init(_ row: Row) throws {
        let language: String? = try row.get("language")
        self.init(
            identifier: try row.get("order_id"), kind: Kind(rawValue: try row.get("kind")),
            recipient: try row.get("recipient"), account: try row.get("account_id"),
            passwordNumber: try row.get("password_number"), transaction: try row.get("transaction_id"),
            team: try row.get("team_id"), language: language.flatMap(MailLanguage.init),
            tries: try row.get("tries"), due: WallTime(milliseconds: try row.get("due_at")))
    }

    /// Saves the order. Nothing changes when it is saved already.
    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO mail_order (environment, order_id, kind, recipient, account_id, password_number,
                transaction_id, tries, due_at, created_at, team_id, language)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (environment, order_id) DO NOTHING
            """,
            [
                db.environment.rawValue, identifier, kind.rawValue, recipient, account, passwordNumber, transaction,
                tries, due.milliseconds, db.now.milliseconds, team, language?.rawValue,
            ])
    }

    /// Counts and saves the order.
    ///
    /// - Throws: ``DomainError``: `throttled` after some orders of a subject,
    ///   `busy` while too many messages wait.
    func append(counting subjects: [SignInThrottle.Subject], _ db: StoreTransaction) throws {
        for subject in subjects {
            var throttle = try SignInThrottle.hold(subject, db)
            if let wait = throttle.wait(now: db.now) { throw DomainError.messages(wait) }
            throttle.count(now: db.now)
            try throttle.save(db)
        }
        guard try !Self.isFull(db), try team.map({ try !Self.isFull(of: $0, db) }) ?? true else {
            throw DomainError(.busy, "Too many messages wait: try again in a minute.", retryAfter: 60)
        }
        try insert(db)
    }

    /// Whether as many messages wait as may wait.
    static func isFull(_ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT order_id FROM mail_order WHERE environment = $1
            ORDER BY created_at, order_id LIMIT 1 OFFSET $2
            """, [db.environment.rawValue, mostWaiting - 1]) != nil
    }

    /// Whether as many messages of a team wait as may wait.
    private static func isFull(of team: TeamIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            "SELECT order_id FROM mail_order WHERE environment = $1 AND team_id = $2 LIMIT 1 OFFSET $3",
            [db.environment.rawValue, team, mostWaitingOfATeam - 1]) != nil
    }

    /// The orders that are due, oldest first.
    static func due(limit: Int, _ db: StoreTransaction) throws -> [MailOrder] {
        try db.rows(
            """
            SELECT \(columns) FROM mail_order
            WHERE environment = $1 AND due_at <= $2 ORDER BY due_at, order_id LIMIT $3
            """, [db.environment.rawValue, db.now.milliseconds, limit]
        ).map(MailOrder.init)
    }

    /// The messages that are to be sent.
    static func backlog(_ db: StoreTransaction) throws -> Backlog {
        try Backlog(
            db.row(
                """
                SELECT count(*) AS n, min(due_at) AS oldest FROM mail_order WHERE environment = $1 AND due_at <= $2
                """, [db.environment.rawValue, db.now.milliseconds]))
    }

    /// Begins an attempt; `false` when another process has begun it.
    func claim(_ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE mail_order SET tries = tries + 1, due_at = $4
            WHERE environment = $1 AND order_id = $2 AND tries = $3
            """, [db.environment.rawValue, identifier, tries, (db.now + Self.pause).milliseconds]) == 1
    }

    /// Deletes the orders that concern an account, which is closed.
    static func deleteAll(of account: Account, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM mail_order WHERE environment = $1 AND account_id = $2",
            [db.environment.rawValue, account.identifier])
        try db.run(
            "DELETE FROM mail_order WHERE environment = $1 AND recipient = $2",
            [db.environment.rawValue, account.email])
    }

    /// Deletes the order, because it was sent or can't be.
    func delete(_ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM mail_order WHERE environment = $1 AND order_id = $2", [db.environment.rawValue, identifier])
    }
}

extension OneTimeLink {
    private static let columns = "kind, account_id, email, password_number, expires_at"

    private init(_ row: Row) throws {
        self.init(
            kind: MailOrder.Kind(rawValue: try row.get("kind")), account: try row.get("account_id"),
            email: try row.get("email"), passwordNumber: try row.get("password_number"),
            expires: WallTime(milliseconds: try row.get("expires_at")))
    }

    /// Saves the link under the hash of its token, in the place of the earlier
    /// links of this kind to the account.
    func insert(tokenHash: String, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM one_time_link WHERE environment = $1 AND account_id = $2 AND kind = $3",
            [db.environment.rawValue, account, kind.rawValue])
        try db.run(
            """
            INSERT INTO one_time_link (environment, token_hash, kind, account_id, account_bucket, email,
                password_number, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                db.environment.rawValue, tokenHash, kind.rawValue, account, account.bucket, email, passwordNumber,
                expires.milliseconds,
            ])
    }

    /// The link with the hash of a token, with its account; `nil` when it was
    /// used or has expired, and when the account was closed or has another
    /// password.
    static func find(_ kind: MailOrder.Kind, tokenHash: String, _ db: StoreTransaction) throws
        -> (link: OneTimeLink, account: Account)?
    {
        let row = try db.row(
            "SELECT \(columns) FROM one_time_link WHERE environment = $1 AND token_hash = $2 AND kind = $3",
            [db.environment.rawValue, tokenHash, kind.rawValue])
        guard let link = try row.map(OneTimeLink.init), let account = try Account.findOpen(link.account, db),
            link.isValid(for: account, at: db.now)
        else { return nil }
        return (link, account)
    }

    /// The link as ``find(_:tokenHash:_:)`` returns it, and takes it from the
    /// database. The account is locked before the link is read: of two forms
    /// with one link, and of a form and a change of the password, the later one
    /// finds no link.
    static func take(_ kind: MailOrder.Kind, tokenHash: String, of account: AccountIdentifier, _ db: StoreTransaction)
        throws -> (link: OneTimeLink, account: Account)?
    {
        guard try Account.hold(account, db), let found = try find(kind, tokenHash: tokenHash, db) else { return nil }
        try deleteAll(of: account, db)
        return found
    }

    /// Deletes all links of an account, because one was used, or the account is
    /// closed.
    static func deleteAll(of account: AccountIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            "DELETE FROM one_time_link WHERE environment = $1 AND account_id = $2", [db.environment.rawValue, account])
    }
}
