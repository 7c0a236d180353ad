// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The encoded form of each purchase for receipts, and the contents of
    /// events that devices need.
    static let keptReceipts = Migration(
        "009 kept receipts",
        [
            // Purchases of older versions have none: they are encoded for each
            // receipt.
            "ALTER TABLE purchase ADD COLUMN receipt_attribute blob",
            // The account's time of the event; 0 for events of older versions.
            "ALTER TABLE event ADD COLUMN at BIGINT NOT NULL DEFAULT 0",
            // Whether a receipt on a device lists something else after the
            // event.
            "ALTER TABLE event ADD COLUMN changes_receipt BIGINT NOT NULL DEFAULT 1",
        ])
}
