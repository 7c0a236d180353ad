// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The bucket of an account in the keys of the tables that were made after
    /// ``buckets``: payment methods, the work of Family Sharing and the notices
    /// of parents.
    static let bucketsOfCustomers = Migration(
        "057 buckets of customers",
        RebuiltTable.statements([methodsWithBuckets, sharingWithBuckets, noticesWithBuckets]))

    private static let methodsWithBuckets = RebuiltTable(
        name: "payment_method",
        columns: [
            "environment TEXT NOT NULL",
            "account_id TEXT NOT NULL",
            "method_id TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
            "kind TEXT NOT NULL",
            "label TEXT NOT NULL",
            "digits TEXT NOT NULL",
            "reference TEXT NOT NULL",
            "expires_store_at BIGINT",
            "added_at BIGINT NOT NULL",
        ],
        constraints: ["PRIMARY KEY (environment, account_id, method_id, bucket)", referenceToAccount()],
        source: renamed("payment_method"))

    private static let sharingWithBuckets = RebuiltTable(
        name: "family_sharing",
        columns: [
            "environment TEXT NOT NULL",
            "account_id TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
            "revision BIGINT NOT NULL",
            "done BIGINT NOT NULL",
            "lease_owner TEXT",
            "leased_until BIGINT NOT NULL DEFAULT 0",
        ],
        constraints: ["PRIMARY KEY (environment, account_id, bucket)", referenceToAccount()],
        source: renamed("family_sharing"),
        indexes: ["INDEX family_sharing_due ON family_sharing (environment, account_id) WHERE done < revision"])

    private static let noticesWithBuckets = RebuiltTable(
        name: "parent_notice",
        columns: [
            "environment TEXT NOT NULL",
            "account_id TEXT NOT NULL",
            "transaction_id TEXT NOT NULL",
            "bucket BIGINT NOT NULL",
        ],
        constraints: ["PRIMARY KEY (environment, account_id, transaction_id, bucket)"],
        source: renamed("parent_notice"))

    /// The statement that reads a table whose column `account_bucket` becomes
    /// the bucket of its rows.
    private static func renamed(_ table: String) -> String {
        "SELECT \(table).*, account_bucket AS bucket FROM \(table)"
    }
}
