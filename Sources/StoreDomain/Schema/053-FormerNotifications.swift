// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The version of App Store Server Notifications that an address receives.
    /// Earlier ones have version 2.
    static let formerNotifications = Migration(
        "053 former notifications",
        [
            "ALTER TABLE notification_address ADD COLUMN version BIGINT NOT NULL DEFAULT 2",
            // The payload of version 1 is the body without the shared secret.
            "ALTER TABLE notification ADD COLUMN version BIGINT NOT NULL DEFAULT 2",
            "ALTER TABLE notification_delivery ADD COLUMN version BIGINT NOT NULL DEFAULT 2",
        ])
}
