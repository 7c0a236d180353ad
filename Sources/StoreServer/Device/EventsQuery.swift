// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI

/// The query of `GET /device/v1/events`: `bundle`, and optionally `account`
/// and `after`, the position after which the events begin, `news`, the number
/// after which the device's news begin, and `pages=1`, if the device takes a
/// long queue in pages.
struct EventsQuery {
    var bundleIdentifier: String
    var position: EventPosition?
    var newsNumber: Int64?
    var takesPages: Bool

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
        takesPages = query[EventsQueryName.pages[...]] == "1"
        guard let account = query[EventsQueryName.account[...]], let after = query[EventsQueryName.after[...]] else {
            return
        }
        position = EventPosition(
            account: try Identifier.read(account, field: EventsQueryName.account),
            number: try EventNumber.read(after, field: EventsQueryName.after))
    }
}
