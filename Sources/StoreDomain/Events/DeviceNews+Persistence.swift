// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension DeviceNews {
    /// Saves that the answer to a request has changed. The device's row stays
    /// locked until the transaction ends.
    static func append(_ request: DeviceRequest, _ db: StoreTransaction) throws {
        let row = try db.row(
            """
            UPDATE device SET news_number = news_number + 1 WHERE environment = $1 AND device_id = $2
            RETURNING news_number
            """, [db.environment.rawValue, request.device])
        try insert(row, .request, request.identifier, of: request.device, db)
    }

    /// Saves that a request became a purchase of an account, unless that
    /// account is signed in on the request's device: the account's event
    /// notifies the device then.
    static func append(_ request: DeviceRequest, boughtBy account: AccountIdentifier, _ db: StoreTransaction) throws {
        let row = try db.row(
            """
            UPDATE device SET news_number = news_number + 1
            WHERE environment = $1 AND device_id = $2 AND (account_id IS NULL OR account_id <> $3)
            RETURNING news_number
            """, [db.environment.rawValue, request.device, account])
        try insert(row, .request, request.identifier, of: request.device, db)
    }

    /// Saves that another account is signed in on a device, or none. The row
    /// has the number that the statement of the sign-in has drawn.
    static func appendSignIn(_ row: Row?, of device: DeviceIdentifier, _ db: StoreTransaction) throws {
        try insert(row, .account, nil, of: device, db)
    }

    private static func insert(
        _ row: Row?, _ kind: Kind, _ request: RequestIdentifier?, of device: DeviceIdentifier, _ db: StoreTransaction
    ) throws {
        guard let number: Int64 = try row?.get("news_number") else { return }
        try db.run(
            """
            INSERT INTO device_news (environment, device_id, news_number, kind, request_id, created_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, [db.environment.rawValue, device, number, kind.rawValue, request, db.now.milliseconds])
        db.announcements.note(.device(device), number)
    }

    /// The number of a device's newest news; 0 before the first.
    static func newest(of device: DeviceIdentifier, _ db: StoreTransaction) throws -> Int64 {
        try db.row(
            "SELECT news_number FROM device WHERE environment = $1 AND device_id = $2",
            [db.environment.rawValue, device]
        )?.get("news_number") ?? 0
    }

    /// The news of a device after a number, in order.
    static func after(_ number: Int64, of device: DeviceIdentifier, limit: Int, _ db: StoreTransaction) throws
        -> [DeviceNews]
    {
        try db.rows(
            """
            SELECT news_number, kind, request_id FROM device_news
            WHERE environment = $1 AND device_id = $2 AND news_number > $3
            ORDER BY news_number LIMIT $4
            """, [db.environment.rawValue, device, number, limit]
        ).map { row in
            DeviceNews(
                number: try row.get("news_number"), kind: Kind(rawValue: try row.get("kind")),
                request: try row.get("request_id"))
        }
    }
}
