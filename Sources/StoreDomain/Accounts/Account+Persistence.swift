// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Account {
    /// The columns that ``init(_:)`` reads.
    static let columns = """
        account.account_id, account.email, account.name, account.locale, account.storefront, account.event_number,
        account.password_number, account.password_rule, account.payment_method, account.clock_offset,
        account.renewal_speed, account.tester_unsold, account.tester_until, account.team_id,
        \(AccountSwitch.all.map { "account.\($0.column)" }.joined(separator: ", "))
        """

    init(_ row: Row) throws {
        self.init(
            identifier: try row.get("account_id"), email: try row.get("email"),
            storefront: Storefront.named(try row.get("storefront")) ?? .unitedStates,
            eventNumber: try row.get("event_number"))
        name = try row.get("name")
        locale = try row.get("locale")
        passwordNumber = try row.get("password_number")
        passwordRule = PasswordRule(rawValue: try row.get("password_rule"))
        paymentMethod = PaymentMethod.Preferred(stored: try row.get("payment_method"))
        switches = Set(try AccountSwitch.all.filter { try row.get($0.column) })
        clock = try AccountClock(row)
        team = try row.get("team_id")
        if try row.get("tester_unsold") { unsoldUntil = WallTime(milliseconds: try row.get("tester_until")) }
    }

    /// An account that isn't closed.
    static func findOpen(_ identifier: AccountIdentifier, _ db: StoreTransaction) throws
        -> Account?
    {
        try db.row(
            """
            SELECT \(columns) FROM account
            WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND closed_at IS NULL
            """, [db.environment.rawValue, identifier, identifier.bucket]
        ).map(Account.init)
    }

    /// Locks an open account, so that other transactions can't close or
    /// change it until this one ends; `false` when the account is closed.
    ///
    /// For a transaction that reads from the database which account it
    /// changes. The update changes no value, but locks the row on every
    /// engine.
    static func hold(_ identifier: AccountIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE account SET event_number = event_number
            WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND closed_at IS NULL
            """, [db.environment.rawValue, identifier, identifier.bucket]) == 1
    }

    /// The open account of an e-mail address, with the hash of its password.
    /// The table `account_email` has the addresses of the accounts in all
    /// buckets.
    static func withPassword(
        email: String, in environment: StoreEnvironment, _ db: StoreTransaction
    ) throws -> (Account, PasswordHash)? {
        try db.row(
            """
            SELECT \(columns), account.password_hash
            FROM account_email JOIN account
                ON account.environment = account_email.environment AND account.account_id = account_email.account_id
                AND account.bucket = account_email.account_bucket
            WHERE account_email.environment = $1 AND account_email.email = $2 AND account.closed_at IS NULL
            """, [environment.rawValue, email]
        ).map { (try Account($0), PasswordHash(text: try $0.get("password_hash"))) }
    }

    /// Saves a new account.
    ///
    /// - Throws: `DatabaseError` with the constraint `account_email_pkey` when
    ///   another account has the e-mail address.
    func insert(passwordHash: PasswordHash, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO account (environment, account_id, bucket, email, password_hash, storefront, event_number,
                created_at, name, locale, team_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                db.environment.rawValue, identifier, identifier.bucket, email, passwordHash.text,
                storefront.countryCode, eventNumber, db.now.milliseconds, name, locale, team,
            ])
        try db.run(
            """
            INSERT INTO account_email (environment, email, account_id, account_bucket) VALUES ($1, $2, $3, $4)
            """, [db.environment.rawValue, email, identifier, identifier.bucket])
    }

    /// Deletes the e-mail address and the password, and signs the account out
    /// on all devices and in all browsers.
    func close(_ db: StoreTransaction) throws {
        // Every e-mail address has an `@`, so that no account can have this
        // one.
        try db.run(
            """
            UPDATE account SET closed_at = $3, email = $4, password_hash = '', name = NULL, locale = NULL,
                payment_method = NULL
            WHERE environment = $1 AND account_id = $2 AND bucket = $5
            """,
            [db.environment.rawValue, identifier, db.now.milliseconds, "closed:\(identifier)", identifier.bucket])
        try db.run(
            "DELETE FROM account_email WHERE environment = $1 AND email = $2 AND account_id = $3",
            [db.environment.rawValue, email, identifier])
        // Before the devices are signed out, because the counts are found by
        // the account's devices.
        try SignInThrottle.forgetAll(of: self, db)
        try Device.signOutAll(of: identifier, db)
        try BrowserSession.endAll(of: identifier, db)
    }

    /// Checks that an account is open, and has the password with which it was
    /// loaded.
    ///
    /// - Throws: ``DomainError`` `wrongPassword`.
    static func require(_ account: Account, _ db: StoreTransaction) throws {
        guard try findOpen(account.identifier, db)?.passwordNumber == account.passwordNumber else {
            throw SigningIn.wrong
        }
    }

    /// Saves another e-mail address.
    ///
    /// - Throws: `DatabaseError` with the constraint `account_email_pkey` when
    ///   another account has it.
    func setEmail(_ email: String, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE account SET email = $4 WHERE environment = $1 AND account_id = $2 AND bucket = $3",
            [db.environment.rawValue, identifier, identifier.bucket, email])
        try db.run(
            "UPDATE account_email SET email = $4 WHERE environment = $1 AND email = $2 AND account_id = $3",
            [db.environment.rawValue, self.email, identifier, email])
    }

    /// Saves another password, and ends all sessions of the account.
    func setPassword(_ hash: PasswordHash, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE account SET password_hash = $4, password_number = password_number + 1
            WHERE environment = $1 AND account_id = $2 AND bucket = $3
            """, [db.environment.rawValue, identifier, identifier.bucket, hash.text])
        try BrowserSession.endAll(of: identifier, db)
    }

    /// The open account of an e-mail address.
    static func find(email: String, _ db: StoreTransaction) throws -> Account? {
        try withPassword(email: email, in: db.environment, db)?.0
    }

    /// The open accounts with the addresses that follow one, in their order.
    static func page(after email: String, limit: Int, _ db: StoreTransaction) throws -> [Account] {
        try db.rows(
            """
            SELECT \(columns)
            FROM account_email JOIN account
                ON account.environment = account_email.environment AND account.account_id = account_email.account_id
                AND account.bucket = account_email.account_bucket
            WHERE account_email.environment = $1 AND account_email.email > $2
            ORDER BY account_email.email LIMIT $3
            """, [db.environment.rawValue, email, limit]
        ).map(Account.init)
    }

    /// Saves the name, the locale, the storefront, the rule of the password
    /// and the switches. ``AccountEvent`` increments the event number.
    func update(_ db: StoreTransaction) throws {
        let assignments = AccountSwitch.all.enumerated().map { "\($1.column) = $\($0 + 8)" }.joined(separator: ", ")
        try db.run(
            """
            UPDATE account SET storefront = $4, name = $5, locale = $6, password_rule = $7, \(assignments)
            WHERE environment = $1 AND account_id = $2 AND bucket = $3
            """,
            [
                db.environment.rawValue, identifier, identifier.bucket, storefront.countryCode, name, locale,
                passwordRule.rawValue,
            ] + AccountSwitch.all.map(has))
    }
}
