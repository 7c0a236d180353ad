// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The addresses that sellers set in Connect.
    static let sellerAddresses = Migration(
        "074 seller addresses",
        [
            // 1 if the store connects to an address of the internet only, 0 if
            // to each address of its environment.
            "ALTER TABLE notification_address ADD COLUMN is_internet_only BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE notification_delivery ADD COLUMN is_internet_only BIGINT NOT NULL DEFAULT 0",
        ])
}
