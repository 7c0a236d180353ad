// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI

/// What `GET /device/v1/events` asks for: `bundle`, and `account` with
/// `after`, the position from which the device goes on.
struct EventsQuery {
    var bundleIdentifier: String
    var position: EventPosition?

    /// - Throws: `StoreFailure` `invalid`, or `LimitExceeded`.
    init(_ query: Parameters) throws {
        guard let bundle = query["bundle"] else {
            throw StoreFailure(.invalid, "Say which app's events: ?bundle=<bundle identifier>.")
        }
        bundleIdentifier = try Identifier.read(bundle, field: "bundle")
        guard let account = query["account"], let after = query["after"] else { return }
        position = EventPosition(
            account: try Identifier.read(account, field: "account"),
            number: try EventNumber.read(after, field: "after"))
    }
}
