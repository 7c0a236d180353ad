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

    /// The number of rows that one statement reads. Each statement has this
    /// number of parameters, so that there are two texts.
    static let batch = 200

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
        for batch in Self.batches(of: accounts) {
            let rows = try await read { db in
                try db.rows(
                    "SELECT account_id, event_number FROM account WHERE environment = $1 AND \(Self.isOne("account_id"))",
                    [db.environment.rawValue] + batch
                ).map { (try $0.get("account_id") as AccountIdentifier, try $0.get("event_number") as Int64) }
            }
            for (account, number) in rows { numbers[account] = number }
        }
        return numbers
    }

    /// The newest numbers of devices, and the accounts that are signed in. A
    /// device without a row is left out.
    package func callAsFunction(of devices: [DeviceIdentifier]) async throws -> [DeviceIdentifier: Device] {
        var numbers: [DeviceIdentifier: Device] = [:]
        for batch in Self.batches(of: devices) {
            let rows = try await read { db in
                try db.rows(
                    """
                    SELECT device_id, news_number, account_id FROM device
                    WHERE environment = $1 AND \(Self.isOne("device_id"))
                    """, [db.environment.rawValue] + batch
                ).map { row in
                    (
                        try row.get("device_id") as DeviceIdentifier,
                        Device(number: try row.get("news_number"), account: try row.get("account_id"))
                    )
                }
            }
            for (device, number) in rows { numbers[device] = number }
        }
        return numbers
    }

    private static func isOne(_ column: String) -> String {
        "\(column) IN (\((0..<batch).map { "$\($0 + 2)" }.joined(separator: ", ")))"
    }

    /// The identifiers in batches of the same size. The last one is filled by
    /// repeating its last identifier.
    private static func batches<Identifier>(of identifiers: [Identifier]) -> [[Identifier]] {
        stride(from: 0, to: identifiers.count, by: batch).map { start in
            let part = Array(identifiers[start..<min(start + batch, identifiers.count)])
            return part + Array(repeating: part[part.count - 1], count: batch - part.count)
        }
    }
}
