// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The numbers of apps, and the days from which items are sold.
    static let storePages = Migration(
        "079 store pages",
        [
            // The app's number in the store: that of its item, also before the item exists; NULL before it is drawn.
            "ALTER TABLE app ADD COLUMN apple_id BIGINT",
            "CREATE UNIQUE INDEX app_apple_id ON app (apple_id) WHERE apple_id IS NOT NULL",
            "UPDATE app SET apple_id = (SELECT item_id FROM item WHERE item.bundle_id = app.bundle_id)",
            // NULL for an item without such a day.
            "ALTER TABLE item ADD COLUMN available_at BIGINT",
            // The item of an app belongs to the team of the app.
            """
            UPDATE item SET team_id = (SELECT app.team_id FROM app WHERE app.bundle_id = item.bundle_id)
            WHERE bundle_id IN (SELECT app.bundle_id FROM app)
            """,
        ])
}
