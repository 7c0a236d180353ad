// SPDX-License-Identifier: Apache-2.0

/// The store refuses one app of the stream, or can't go on with its events.
/// No other event of the app follows; the other apps' events go on.
package struct RefusedEvent: StoreEventContent {
    package static let name = "refused"

    /// A code of ``StoreFailure``.
    package var code: String
    package var message: String
    /// The seconds after which the device may ask for the app again; absent
    /// when there is no such time.
    @Limited<RetryAfter> package var retryAfter: Int?

    package init(_ failure: StoreFailure) {
        code = failure.code.rawValue
        message = failure.message
        retryAfter = failure.retryAfter
    }

    /// The refusal as an error.
    package var failure: StoreFailure { StoreFailure(.init(rawValue: code), message, retryAfter: retryAfter) }
}

extension StoreEvent {
    package static func refused(_ failure: StoreFailure) -> StoreEvent { StoreEvent(RefusedEvent(failure)) }
}
