// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreDomain

// Additions to Apple's session: dialogs that the test answers, the clock, and
// the certificate, which Xcode exports instead.
extension SKTestSession {
    /// The root certificate (DER) of the authority that signs the session's
    /// receipts. In a test, an app that verifies receipts trusts it.
    public var rootCertificate: Data? { (try? host())?.rootCertificate }

    /// The current time of the session.
    public var currentDate: Date {
        (try? host()).map { Date(timeIntervalSince1970: Double($0.clock.now.milliseconds) / 1000) } ?? .distantPast
    }

    /// Advances the session's time and runs all work that is then due. The
    /// renewals in between are made in their order, each dated when it was
    /// due.
    ///
    /// - Returns: The events of the customer's subscriptions, in order of
    ///   their moments.
    /// - Throws: ``SKTestError`` `invalidAction` for a negative duration, and
    ///   for a moment after 2098, before the certificates of the receipts end.
    ///   The time is unchanged then.
    @discardableResult
    public func advance(by duration: Duration) throws -> [SubscriptionEvent] {
        let host = try host()
        return try host.move(to: host.clock.now.advanced(by: duration))
    }

    /// Advances the session's time to a date, as ``advance(by:)`` does.
    ///
    /// - Throws: ``SKTestError`` `invalidAction` for a date before
    ///   ``currentDate``, and for one after 2098.
    @discardableResult
    public func advance(to date: Date) throws -> [SubscriptionEvent] {
        let host = try host()
        return try host.move(to: WallTime(clamping: date))
    }

    /// Advances the session's time to the next event of the customer's
    /// subscriptions: a charge, a renewal, the end of a grace period or of a
    /// subscription.
    ///
    /// - Throws: ``SKTestError`` `noSubscriptionFound` when no event follows.
    @discardableResult
    public func advanceToNextEvent() throws -> [SubscriptionEvent] {
        let host = try host()
        guard let next = try host.nextEvent() else {
            throw SKTestError(.noSubscriptionFound, message: "No subscription of the session has a next event.")
        }
        return try host.move(to: max(next, host.clock.now))
    }

    /// Confirms every open dialog, as the customer does.
    ///
    /// - Throws: ``SKTestError`` `invalidAction` when the store refuses.
    public func confirmDialogs() throws {
        let host = try host()
        try host.perform { _ in try await host.answerDialogs(confirming: true) }
    }

    /// Cancels every open dialog, as the customer does.
    ///
    /// - Throws: ``SKTestError`` `invalidAction` when the store refuses.
    public func cancelDialogs() throws {
        let host = try host()
        try host.perform { _ in try await host.answerDialogs(confirming: false) }
    }
}
