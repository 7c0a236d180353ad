// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AppNumbers {
    /// The numbers of an app, in one statement; `version` is that of the app on
    /// the device.
    static func find(
        _ app: BundleIdentifier, version: String? = nil, _ db: StoreTransaction
    ) throws -> AppNumbers {
        let found = try db.row(
            """
            SELECT (SELECT app.apple_id FROM app WHERE app.bundle_id = $1) AS apple_id,
                (SELECT app_version.external_identifier FROM app_version
                WHERE app_version.bundle_id = $1 AND app_version.version = $2) AS external_identifier,
                (SELECT item.item_id FROM item WHERE item.bundle_id = $1) AS item_id
            """, [app, version ?? ""])
        guard let found else { return AppNumbers() }
        let item: Int64? = try found.get("item_id")
        guard db.environment == .production else { return AppNumbers(item: item) }
        let app: Int64? = try found.get("apple_id")
        return AppNumbers(app: app ?? item, version: try found.get("external_identifier"), item: item)
    }
}
