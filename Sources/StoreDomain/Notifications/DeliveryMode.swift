// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// How the sandbox delivers the notifications of an account, or of all
/// accounts, for a test of a seller's server. The mode at the time at which a
/// notification is signed applies to it.
package struct DeliveryMode: Hashable, Sendable {
    /// An address receives each notification twice.
    package var isSentTwice = false
    /// A notification waits for the next one of its original transaction, and
    /// is sent after it. The next change of the mode sends those that wait.
    package var isOutOfOrder = false
    /// The time from the cause to the first attempt, in the account's time.
    package var delay: Duration = .zero
    /// A notification isn't sent, and no attempt follows.
    package var isDropped = false
    /// The number of attempts of each notification that fail without a
    /// request, as if the address answered with the status 500.
    package var failures: Int64 = 0

    package init() {}

    /// The longest delay.
    static let longest: Duration = .seconds(366 * 24 * 60 * 60)
    /// The most failures of a notification: the attempts of production.
    static let mostFailures = Int64(NotificationVersion.two.pauses.count) + 1

    /// Whether notifications are delivered as without a test.
    package var isUsual: Bool { self == DeliveryMode() }

    /// Checks the values.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    func check() throws {
        guard (.zero...Self.longest).contains(delay) else {
            throw DomainError(.invalid, "A notification is 0 to 366 days late.")
        }
        guard (0...Self.mostFailures).contains(failures) else {
            throw DomainError(.invalid, "At most \(Self.mostFailures) attempts of a notification fail.")
        }
        guard !isDropped || !isSentTwice && !isOutOfOrder && delay == .zero && failures == 0 else {
            throw DomainError(.invalid, "A notification that is dropped isn't sent in another mode, too.")
        }
        guard !isOutOfOrder || delay == .zero else {
            throw DomainError(.invalid, "Notifications are late or out of order, and not both.")
        }
    }
}

extension NotificationDelivery {
    /// The beginning of a delivery: its state, its attempts and the time of the
    /// first one, without its notification and its address.
    struct Beginning: Hashable, Sendable {
        var state = State.due
        var attempts: [Attempt] = []
        var due: WallTime?
        var copies: Int64 = 1
        var failures: Int64 = 0
    }

    /// The beginning of a delivery in a mode. One that is dropped has an attempt
    /// that no address has answered.
    static func first(_ mode: DeliveryMode, isHeld: Bool, created: WallTime, at now: WallTime) -> Beginning {
        if mode.isDropped {
            return Beginning(state: .failed, attempts: [Attempt(at: now, result: .noResponse)])
        }
        return Beginning(
            state: isHeld ? .held : .due, due: isHeld ? nil : created + mode.delay, copies: mode.isSentTwice ? 2 : 1,
            failures: mode.failures)
    }
}
