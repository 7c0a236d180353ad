// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The apps that have a notification address.
    static let addressTeams = Migration(
        "087 address teams", ["CREATE INDEX notification_address_of_url ON notification_address (environment, url)"])
}
