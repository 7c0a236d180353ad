// SPDX-License-Identifier: Apache-2.0

/// The networks in which the store connects to a notification address.
package enum NotificationReach: Hashable, Sendable {
    /// Those of the environment: the sandbox sends to private networks and to
    /// its own computer too.
    case environment
    /// The internet only. A seller who isn't the operator can't reach the
    /// operator's network.
    case internet

    /// The reach of the addresses that a team sets.
    init(of team: TeamIdentifier) {
        self = team == Team.ofTheStore ? .environment : .internet
    }
}

/// The answer of an address to a notification.
package struct NotificationResponse: Hashable, Sendable {
    package var result: NotificationResult
    /// The HTTP status; `nil` without an answer.
    package var status: Int?

    package init(_ result: NotificationResult, status: Int? = nil) {
        self.result = result
        self.status = status
    }

    /// An answer with an HTTP status.
    package init(status: Int) {
        self.init(NotificationResult(status: status), status: status)
    }
}
