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
    public func advance(by duration: Duration) {
        (try? host())?.advance(by: duration)
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
