// SPDX-License-Identifier: Apache-2.0

/// A version of App Store Server Notifications, which an address has.
package enum NotificationVersion: Int64, Sendable {
    /// The body is JSON with the shared secret of the app. Apple has
    /// deprecated it.
    case one = 1
    /// The body has a signed payload.
    case two = 2

    /// The pauses between the attempts in production.
    var pauses: [Duration] {
        let hours =
            switch self {
            case .one: [6, 24, 48]
            case .two: [1, 12, 24, 48, 72]
            }
        return hours.map { .seconds($0 * 3600) }
    }
}
