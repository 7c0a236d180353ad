// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Apps that their team has removed from its list.
    static let removedApps = Migration(
        "086 removed apps", ["ALTER TABLE app ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0"])
}
