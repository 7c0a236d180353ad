// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The order in which undelivered notifications were saved, for their
    /// number and the age of the oldest.
    static let waitingNotifications = Migration(
        "052 waiting notifications",
        [
            """
            CREATE INDEX notification_delivery_waiting ON notification_delivery (environment, created_at)
            WHERE due_at IS NOT NULL
            """
        ])
}
