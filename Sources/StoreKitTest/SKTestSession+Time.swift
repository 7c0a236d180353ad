// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import StoreDomain

// What Apple's session doesn't have: dialogs that the test answers, the clock,
// and the certificate, which Xcode exports instead.
extension SKTestSession {
    /// The root certificate, DER, of the authority that signs the session's
    /// receipts: what an app that verifies them trusts in a test.
    public var rootCertificate: Data? { (try? host())?.rootCertificate }

    /// What time it is in the session.
    public var currentDate: Date {
        (try? host()).map { Date(timeIntervalSince1970: Double($0.clock.now.milliseconds) / 1000) } ?? .distantPast
    }

    /// Moves the session's time, and does what comes due.
    public func advance(by duration: Duration) {
        guard let host = try? host() else { return }
        host.clock.advance(by: duration)
        try? host.perform { _ in }
    }

    /// The customer confirms every dialog that is open.
    ///
    /// - Throws: ``SKTestError`` `invalidAction` when the store refuses.
    public func confirmDialogs() throws {
        let host = try host()
        try host.perform { _ in try await host.answerDialogs(confirming: true) }
    }

    /// The customer cancels every dialog that is open.
    ///
    /// - Throws: ``SKTestError`` `invalidAction` when the store refuses.
    public func cancelDialogs() throws {
        let host = try host()
        try host.perform { _ in try await host.answerDialogs(confirming: false) }
    }
}
