// SPDX-License-Identifier: Apache-2.0

/// The state of a request of this device has changed. Repeat the request to
/// get it.
package struct RequestEvent: StoreEventContent {
    package static let name = "request"

    package var requestIdentifier: String
    /// The number of the device's news, after which the device's next stream
    /// continues; `nil` from a store that doesn't number them, and for a hint
    /// that an account's event has caused.
    @Limited<NewsNumber> package var number: Int64?

    package init(requestIdentifier: String, number: Int64? = nil) {
        self.requestIdentifier = requestIdentifier
        self.number = number
    }
}

extension StoreEvent {
    package static func request(requestIdentifier: String, number: Int64? = nil) -> StoreEvent {
        StoreEvent(RequestEvent(requestIdentifier: requestIdentifier, number: number))
    }
}
