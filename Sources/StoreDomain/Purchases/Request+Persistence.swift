// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Request {
    init(_ row: Row, device: DeviceIdentifier) throws {
        self.init(
            device: device, identifier: try row.get("request_id"), kind: Kind(rawValue: try row.get("kind")),
            bundleIdentifier: try row.get("bundle_id"), productIdentifier: try row.get("product_id"),
            quantity: try row.get("quantity"), applicationUsername: try row.get("username"))
        status = Status(rawValue: try row.get("status"))
        account = try row.get("account_id")
        transactionIdentifier = try row.get("transaction_id")
        eventNumber = try row.get("event_number")
        let code: Int? = try row.get("failure_code")
        failure = try code.map { Failure(code: $0, message: try row.get("failure_message")) }
    }

    static func find(
        _ identifier: String, of device: DeviceIdentifier, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws -> Request? {
        try connection.row(
            """
            SELECT request_id, kind, bundle_id, product_id, quantity, username, status, account_id, transaction_id,
                event_number, failure_code, failure_message
            FROM request WHERE environment = $1 AND device_id = $2 AND request_id = $3
            """, [environment.rawValue, device.rawValue, identifier]
        ).map { try Request($0, device: device) }
    }

    func insert(at now: Instant, _ environment: StoreEnvironment, _ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO request (environment, device_id, request_id, kind, bundle_id, product_id, quantity, username,
                status, account_id, transaction_id, event_number, failure_code, failure_message, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            """,
            [
                environment.rawValue, device.rawValue, identifier, kind.rawValue, bundleIdentifier, productIdentifier,
                quantity, applicationUsername, status.rawValue, account, transactionIdentifier, eventNumber,
                failure?.code, failure?.message, now.milliseconds,
            ])
    }

    /// Saves what can change: how far it is, whose it is, and its answer.
    func update(_ environment: StoreEnvironment, _ connection: any Connection) throws {
        try connection.run(
            """
            UPDATE request SET status = $4, account_id = $5, transaction_id = $6, event_number = $7,
                failure_code = $8, failure_message = $9
            WHERE environment = $1 AND device_id = $2 AND request_id = $3
            """,
            [
                environment.rawValue, device.rawValue, identifier, status.rawValue, account, transactionIdentifier,
                eventNumber, failure?.code, failure?.message,
            ])
    }
}
