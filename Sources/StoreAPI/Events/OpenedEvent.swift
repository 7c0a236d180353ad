// SPDX-License-Identifier: Apache-2.0

/// The events of an app begin: those after its position follow, and all that
/// are committed from now on.
package struct OpenedEvent: StoreEventContent {
    package static let name = "opened"

    /// The number of the device's news after which the app's news begin: that
    /// of the request, or the newest one. A device that asks again for the
    /// same app sends it, so that no news are left out between two streams.
    @Limited<NewsNumber> package var newsNumber: Int64?

    package init(newsNumber: Int64?) {
        self.newsNumber = newsNumber
    }
}

extension StoreEvent {
    package static func opened(newsNumber: Int64?) -> StoreEvent {
        StoreEvent(OpenedEvent(newsNumber: newsNumber))
    }
}
