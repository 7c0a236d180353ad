// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Account {
    /// The columns that ``init(_:)`` reads.
    static let columns = """
        account.account_id, account.email, account.storefront, account.event_number, account.is_barred,
        account.asks_to_buy, account.interrupts_purchases, account.clock_offset, account.renewal_speed
        """

    init(_ row: Row) throws {
        self.init(
            identifier: try row.get("account_id"), email: try row.get("email"),
            storefront: Storefront.named(try row.get("storefront")) ?? .unitedStates,
            eventNumber: try row.get("event_number"))
        isBarred = try row.get("is_barred")
        asksToBuy = try row.get("asks_to_buy")
        interruptsPurchases = try row.get("interrupts_purchases")
        clock = try AccountClock(row)
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
    static func withPassword(email: String, _ db: StoreTransaction) throws
        -> (Account, PasswordHash)?
    {
        try db.row(
            """
            SELECT \(columns), account.password_hash
            FROM account_email JOIN account
                ON account.environment = account_email.environment AND account.account_id = account_email.account_id
                AND account.bucket = account_email.account_bucket
            WHERE account_email.environment = $1 AND account_email.email = $2 AND account.closed_at IS NULL
            """, [db.environment.rawValue, email]
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
                created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                db.environment.rawValue, identifier, identifier.bucket, email, passwordHash.text,
                storefront.countryCode, eventNumber, db.now.milliseconds,
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
            UPDATE account SET closed_at = $3, email = $4, password_hash = ''
            WHERE environment = $1 AND account_id = $2 AND bucket = $5
            """,
            [db.environment.rawValue, identifier, db.now.milliseconds, "closed:\(identifier)", identifier.bucket])
        try db.run(
            "DELETE FROM account_email WHERE environment = $1 AND email = $2 AND account_id = $3",
            [db.environment.rawValue, email, identifier])
        // Before the devices are signed out, because the counts are found by
        // the account's devices.
        try SignInThrottle.forgetAll(of: self, db)
        let signedOut = try db.rows(
            """
            UPDATE device SET account_id = NULL, account_bucket = NULL, news_number = news_number + 1
            WHERE environment = $1 AND account_id = $2 RETURNING device_id, news_number
            """, [db.environment.rawValue, identifier])
        for row in signedOut { try DeviceNews.appendSignIn(row, of: try row.get("device_id"), db) }
        try db.run(
            "DELETE FROM sheet_session WHERE environment = $1 AND account_id = $2",
            [db.environment.rawValue, identifier])
    }

    /// The open account of an e-mail address.
    static func find(email: String, _ db: StoreTransaction) throws -> Account? {
        try withPassword(email: email, db)?.0
    }

    /// Saves the storefront and the restrictions. ``AccountEvent`` increments
    /// the event number.
    func update(_ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE account SET storefront = $3, is_barred = $4, asks_to_buy = $5, interrupts_purchases = $6
            WHERE environment = $1 AND account_id = $2 AND bucket = $7
            """,
            [
                db.environment.rawValue, identifier, storefront.countryCode, isBarred, asksToBuy, interruptsPurchases,
                identifier.bucket,
            ])
    }
}
