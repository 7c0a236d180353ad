// SPDX-License-Identifier: Apache-2.0

/// An entry of the live page: a request of a device, a notification to the
/// seller's servers, or a refused request.
package struct ActivityEntry: Sendable {
    package enum Subject: Sendable {
        /// A request, and whether its sheet waits for the customer.
        case request(DeviceRequest, isOnSheet: Bool)
        case notification(ListingNotifications.Listed)
        case problem(SandboxProblem)
    }

    /// When it was asked or ordered.
    package var at: WallTime
    package var app: BundleIdentifier
    package var subject: Subject
    /// The tester of the request or the notification; `nil` before a sign-in.
    package var tester: Account?
    /// Whether the app hasn't finished the transaction of the request.
    package var isUnfinished = false
    /// Whether the purchase of the request is refunded, which removes it from
    /// the queues of devices.
    package var isRefunded = false

    /// The most entries of the page.
    package static let limit = 50
    /// The most rows of all apps together that are looked at for it.
    static let searched = 500
}

/// The entries that the live page shows.
package struct ActivityFilter: Hashable, Sendable {
    /// `nil` for all apps.
    package var app: BundleIdentifier?
    /// The e-mail address of a tester; empty for all.
    package var tester: String

    package init(app: BundleIdentifier? = nil, tester: String = "") {
        self.app = app
        self.tester = tester
    }
}
