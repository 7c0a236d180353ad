// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The bucket of an account in all keys of its tables, so that they can be
    /// partitioned by it.
    ///
    /// The bucket is the last column of each key: a statement that knows no
    /// bucket, such as the look-up of an older transaction identifier, uses the
    /// same index. A row of a device, which refers to an account, has the
    /// column `account_bucket` for its foreign key.
    ///
    /// SQLite can't change a key, and every table with a foreign key to a
    /// changed one has to be made again too. Both engines run the same
    /// statements.
    static let buckets = Migration("022 buckets", RebuiltTable.statements(rebuiltTables))

    /// The tables, each after those that its foreign keys name.
    private static let rebuiltTables: [RebuiltTable] =
        accountTables + deviceTables + paymentTables + purchaseTables + valueTables + [
            queueEntries, restoredTransactions,
        ]

    /// The statement that reads a table with the buckets of its
    /// accounts.
    static func bucketed(_ table: String, as column: String = "bucket") -> String {
        "SELECT \(table).*, \(bucket(of: "account_id")) AS \(column) FROM \(table)"
    }

    /// The SQL expression of the bucket of an account's identifier: the same
    /// as `AccountIdentifier.bucket`.
    static func bucket(of identifier: String) -> String {
        let values = "123456789abcdef".enumerated().map { "WHEN '\($1)' THEN \($0 + 1)" }.joined(separator: " ")
        let digits = [4096, 256, 16, 1].enumerated().map { place, weight in
            "CASE substr(\(identifier), \(place + 1), 1) \(values) ELSE 0 END * \(weight)"
        }
        return "((\(digits.joined(separator: " + "))) % 1000)"
    }
}
