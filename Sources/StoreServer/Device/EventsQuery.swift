// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI

/// The query of `GET /device/v1/events`: `bundle`, and optionally `account`
/// and `after`, the position after which the events begin, and `news`, the
/// number after which the device's news begin.
struct EventsQuery {
    var bundleIdentifier: String
    var position: EventPosition?
    var newsNumber: Int64?

    /// - Throws: `StoreFailure` `invalid` without a bundle identifier,
    ///   `LimitExceeded` for a value outside of its limit.
    init(_ query: Parameters) throws {
        guard let bundle = query[EventsQueryName.bundle[...]] else {
            throw StoreFailure(.invalid, "Say which app's events: ?bundle=<bundle identifier>.")
        }
        bundleIdentifier = try Identifier.read(bundle, field: EventsQueryName.bundle)
        newsNumber = try query[EventsQueryName.news[...]].map {
            try EventNumber.read($0, field: EventsQueryName.news)
        }
        guard let account = query[EventsQueryName.account[...]], let after = query[EventsQueryName.after[...]] else {
            return
        }
        position = EventPosition(
            account: try Identifier.read(account, field: EventsQueryName.account),
            number: try EventNumber.read(after, field: EventsQueryName.after))
    }
}
