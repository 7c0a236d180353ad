// SPDX-License-Identifier: Apache-2.0

/// The state of a request of this device has changed. Repeat the request to
/// get it.
package struct RequestEvent: StoreEventContent {
    package static let name = "request"

    package var requestIdentifier: String

    package init(requestIdentifier: String) {
        self.requestIdentifier = requestIdentifier
    }
}

extension StoreEvent {
    package static func request(requestIdentifier: String) -> StoreEvent {
        StoreEvent(RequestEvent(requestIdentifier: requestIdentifier))
    }
}
