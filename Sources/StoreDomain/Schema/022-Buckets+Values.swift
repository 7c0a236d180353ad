// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// The apps that an account uses on its devices, and the account's
    /// key-value pairs.
    static let valueTables = [deviceAppRows, keyValueRows, prunedKeyValues]

    private static let deviceAppRows = RebuiltTable(
        name: "device_app",
        columns: [
            "environment TEXT NOT NULL",
            "account_id TEXT NOT NULL",
            "bundle_id TEXT NOT NULL",
            "device_id TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
            "last_seen_at BIGINT NOT NULL",
        ],
        constraints: [
            "PRIMARY KEY (environment, account_id, bundle_id, device_id, bucket)",
            referenceToAccount(),
            "FOREIGN KEY (environment, device_id) REFERENCES device (environment, device_id) ON DELETE CASCADE",
        ],
        source: bucketed("device_app"),
        indexes: ["INDEX device_app_of_device ON device_app (environment, device_id)"])

    private static let keyValueRows = RebuiltTable(
        name: "key_value",
        columns: [
            "environment TEXT NOT NULL",
            "account_id TEXT NOT NULL",
            "bundle_id TEXT NOT NULL",
            "key_name TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
            "value TEXT",
            "value_bytes BIGINT NOT NULL",
            "event_number BIGINT NOT NULL",
            "removed_at BIGINT",
        ],
        constraints: ["PRIMARY KEY (environment, account_id, bundle_id, key_name, bucket)", referenceToAccount()],
        source: bucketed("key_value"),
        indexes: [
            "INDEX key_value_news ON key_value (environment, account_id, bundle_id, event_number)",
            """
            INDEX key_value_removed ON key_value (environment, account_id, bundle_id, event_number)
            WHERE value IS NULL
            """,
            """
            INDEX key_value_removed_age
            ON key_value (environment, removed_at, account_id, bundle_id, key_name, bucket) WHERE value IS NULL
            """,
        ])

    private static let prunedKeyValues = RebuiltTable(
        name: "key_value_pruned",
        columns: [
            "environment TEXT NOT NULL",
            "account_id TEXT NOT NULL",
            "bundle_id TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
            "event_number BIGINT NOT NULL",
        ],
        constraints: ["PRIMARY KEY (environment, account_id, bundle_id, bucket)", referenceToAccount()],
        source: bucketed("key_value_pruned"))
}
