// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Records for each period the devices on which its account uses the app when
/// the period is sold: all of them have to receive it.
final class RenewalWitness {
    /// A period that a device has to receive.
    struct Due: Hashable {
        var transaction: String
        var device: String
        var bundle: String
    }

    private(set) var due: Set<Due> = []
    private var last: Int64 = 0

    /// Looks at the periods that were sold since it looked last. Called at the
    /// beginning of every write transaction: the devices and their accounts
    /// are as the transaction of the newest period has left them.
    func look(_ connection: any Connection) throws {
        for row in try connection.rows(
            """
            SELECT p.rowid AS number, p.transaction_id, p.bundle_id, device.device_id
            FROM purchase p
                LEFT JOIN device_app u ON u.account_id = p.account_id AND u.bundle_id = p.bundle_id
                LEFT JOIN device ON device.device_id = u.device_id AND device.account_id = p.account_id
            WHERE p.rowid > $1 AND p.kind = 'Auto-Renewable Subscription' AND p.revoked_at IS NULL
            """, [last])
        {
            last = max(last, try row.get("number"))
            guard let device: String = try row.get("device_id") else { continue }
            due.insert(
                Due(transaction: try row.get("transaction_id"), device: device, bundle: try row.get("bundle_id")))
        }
    }
}
