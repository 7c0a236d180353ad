// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the numbers of the newest events of accounts, and of the newest news
/// of devices. A node compares them with those that its event streams have
/// read, and so finds the commits whose announcement was lost.
package struct ReadingNewestNumbers: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    private static let accounts = BatchedStatement(firstPlace: 2) {
        "SELECT account_id, event_number FROM account WHERE environment = $1 AND account_id IN (\($0))"
    }

    private static let devices = BatchedStatement(firstPlace: 2) {
        "SELECT device_id, news_number, account_id FROM device WHERE environment = $1 AND device_id IN (\($0))"
    }

    /// The newest numbers of one device.
    package struct Device: Hashable, Sendable {
        package var number: Int64
        /// The account that is signed in; `nil` when there is none.
        package var account: AccountIdentifier?
    }

    /// The newest event numbers of accounts. An account without a row is left
    /// out.
    package func callAsFunction(of accounts: [AccountIdentifier]) async throws -> [AccountIdentifier: Int64] {
        var numbers: [AccountIdentifier: Int64] = [:]
        for batch in Self.accounts.batches(of: accounts) {
            // A read for each batch, so that none of them is long.
            let rows = try await read { db in
                try db.rows(batch.sql, [db.environment.rawValue] + batch.values).map { row in
                    (try row.get("account_id") as AccountIdentifier, try row.get("event_number") as Int64)
                }
            }
            for (account, number) in rows { numbers[account] = number }
        }
        return numbers
    }

    /// The newest numbers of devices, and the accounts that are signed in. A
    /// device without a row is left out.
    package func callAsFunction(of devices: [DeviceIdentifier]) async throws -> [DeviceIdentifier: Device] {
        var numbers: [DeviceIdentifier: Device] = [:]
        for batch in Self.devices.batches(of: devices) {
            let rows = try await read { db in
                try db.rows(batch.sql, [db.environment.rawValue] + batch.values).map { row in
                    let device = Device(number: try row.get("news_number"), account: try row.get("account_id"))
                    return (try row.get("device_id") as DeviceIdentifier, device)
                }
            }
            for (device, number) in rows { numbers[device] = number }
        }
        return numbers
    }
}
