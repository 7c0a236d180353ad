// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Sheet {
    private static let columns = """
        token, device_id, request_id, status, expires_at, closing_at, wrong_passwords, message
        """

    init(_ row: Row) throws {
        self.init(
            token: try row.get("token"), device: try row.get("device_id"),
            requestIdentifier: try row.get("request_id"), status: Status(rawValue: try row.get("status")),
            expires: WallTime(milliseconds: try row.get("expires_at")),
            closing: WallTime(milliseconds: try row.get("closing_at")), wrongPasswords: try row.get("wrong_passwords"),
            message: try row.get("message"))
    }

    static func find(_ token: String, _ db: StoreTransaction) throws -> Sheet? {
        try db.row(
            "SELECT \(columns) FROM sheet WHERE environment = $1 AND token = $2", [db.environment.rawValue, token]
        ).map(Sheet.init)
    }

    static func find(for request: DeviceRequest, _ db: StoreTransaction) throws
        -> Sheet?
    {
        try db.row(
            "SELECT \(columns) FROM sheet WHERE environment = $1 AND device_id = $2 AND request_id = $3",
            [db.environment.rawValue, request.device, request.identifier]
        ).map(Sheet.init)
    }

    /// Locks the sheet of a request, so that no other transaction answers it
    /// until this one ends; `false` when the request has no sheet. The update
    /// changes no value, but locks the row on every engine.
    static func hold(for request: DeviceRequest, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            "UPDATE sheet SET status = status WHERE environment = $1 AND device_id = $2 AND request_id = $3",
            [db.environment.rawValue, request.device, request.identifier]) == 1
    }

    /// Open sheets whose time is over, oldest first.
    static func over(limit: Int, _ db: StoreTransaction) throws
        -> [Sheet]
    {
        try db.rows(
            """
            SELECT \(columns) FROM sheet WHERE environment = $1 AND status = 'open' AND closing_at <= $2
            ORDER BY closing_at LIMIT $3
            """, [db.environment.rawValue, db.now.milliseconds, limit]
        ).map(Sheet.init)
    }

    /// How many open sheets have to be ended, and when the time of the first
    /// of them was over.
    static func backlog(_ db: StoreTransaction) throws -> Backlog {
        try Backlog(
            db.row(
                """
                SELECT count(*) AS n, min(closing_at) AS oldest FROM sheet
                WHERE environment = $1 AND status = 'open' AND closing_at <= $2
                """, [db.environment.rawValue, db.now.milliseconds]))
    }

    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO sheet (environment, token, device_id, request_id, status, expires_at, closing_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                db.environment.rawValue, token, device, requestIdentifier, status.rawValue,
                expires.milliseconds, closing.milliseconds,
            ])
    }

    /// Moves the sheet from one status to another; `false` when its status
    /// has changed meanwhile. Of several answers to one sheet, only the first
    /// succeeds.
    func move(from old: Status, to new: Status, _ db: StoreTransaction) throws
        -> Bool
    {
        try db.run(
            "UPDATE sheet SET status = $4 WHERE environment = $1 AND token = $2 AND status = $3",
            [db.environment.rawValue, token, old.rawValue, new.rawValue]) == 1
    }

    /// Ends the payment of a confirmed sheet that wasn't made, with a sentence
    /// for the customer. The new status is `open` for another try, or else
    /// `declined`.
    func endPayment(_ new: Status, because message: String, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE sheet SET status = $3, message = $4
            WHERE environment = $1 AND token = $2 AND status = 'processing'
            """, [db.environment.rawValue, token, new.rawValue, message])
    }

    /// Ends the sheet if it is open and its time is over; `false` otherwise,
    /// for example when its page was opened again meanwhile.
    func expire(_ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE sheet SET status = 'expired'
            WHERE environment = $1 AND token = $2 AND status = 'open' AND closing_at <= $3
            """, [db.environment.rawValue, token, db.now.milliseconds]) == 1
    }

    /// Adds to the number of wrong passwords; a negative count subtracts.
    func addWrongPasswords(_ count: Int, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE sheet SET wrong_passwords = wrong_passwords + $3 WHERE environment = $1 AND token = $2",
            [db.environment.rawValue, token, count])
    }

    /// Sets the time at which the sheet ends, if it is still open.
    func setClosing(_ closing: WallTime, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE sheet SET closing_at = $3 WHERE environment = $1 AND token = $2 AND status = 'open'",
            [db.environment.rawValue, token, closing.milliseconds])
    }
}
