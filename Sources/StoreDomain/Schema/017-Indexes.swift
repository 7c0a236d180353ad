// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Indexes for the lists that operators read page by page.
    static let indexes = Migration(
        "017 indexes",
        [
            "CREATE INDEX purchase_of_account ON purchase (environment, account_id, purchased_at, transaction_id)",
            "CREATE INDEX purchase_of_app ON purchase (environment, bundle_id, purchased_at, transaction_id)",
            // The events of an account in one app, after a number.
            "CREATE INDEX event_of_app ON event (environment, account_id, bundle_id, event_number)",
        ])
}
