// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Who has made a one-time address of Connect: it ends with that user's rights.
    static let linkMakers = Migration(
        "084 link makers", ["ALTER TABLE team_link ADD COLUMN maker TEXT NOT NULL DEFAULT ''"])
}
