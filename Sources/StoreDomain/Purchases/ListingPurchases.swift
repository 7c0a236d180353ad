// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the purchases of an account in an app, for the store's operator.
package struct ListingPurchases: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// All purchases, oldest first.
    package func callAsFunction(of account: Account, bundleIdentifier: BundleIdentifier) async throws -> [Purchase] {
        try await read { db in
            try Purchase.all(of: account.identifier, bundleIdentifier: bundleIdentifier, db)
        }
    }

    /// The identifiers of the purchases that aren't finished yet.
    package func unfinished(of account: Account, bundleIdentifier: BundleIdentifier) async throws -> Set<String> {
        try await read { db in
            Set(
                try db.rows(
                    """
                    SELECT DISTINCT transaction_id FROM queue_entry
                    WHERE environment = $1 AND account_id = $2 AND bundle_id = $3
                    """, [db.environment.rawValue, account.identifier, bundleIdentifier]
                ).map { try $0.get("transaction_id") })
        }
    }
}

extension Purchase {
    static func all(of account: AccountIdentifier, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws
        -> [Purchase]
    {
        try db.rows(
            """
            SELECT * FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3
            ORDER BY purchased_at, transaction_id
            """, [db.environment.rawValue, account, bundleIdentifier]
        ).map(Purchase.init)
    }
}
