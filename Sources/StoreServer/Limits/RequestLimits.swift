// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

/// The limits that routes share: memory for bodies, and how often a network
/// address may do what costs the store something.
package struct RequestLimits: Sendable {
    let bodies: BodyBudget
    /// New devices.
    let registrations = RateLimiter(burst: 200, perSecond: 1)
    /// Wrong passwords, on devices where the account isn't signed in.
    let wrongPasswords = RateLimiter(burst: 300, perSecond: 2)
    /// Wrong shared secrets at `/verifyReceipt`, for each app.
    let wrongSecrets = RateLimiter(burst: 10, perSecond: 0.2)

    package init(_ limits: ServerLimits = ServerLimits()) {
        bodies = BodyBudget(limits)
    }
}

extension RateLimiter {
    /// - Throws: `StoreFailure` `throttled` when it is one too many for an
    ///   address; counts nothing for a sender without one.
    func count(_ address: String?, now: Instant, _ what: String) throws {
        guard let address, let seconds = take(address, now: now) else { return }
        throw Self.throttled(what, seconds)
    }

    /// The same without counting.
    func check(_ address: String?, now: Instant, _ what: String) throws {
        guard let address, let seconds = wait(address, now: now) else { return }
        throw Self.throttled(what, seconds)
    }

    private static func throttled(_ what: String, _ seconds: Int) -> StoreFailure {
        StoreFailure(
            .throttled, "Too many \(what) come from this address: try again in \(seconds) s.", retryAfter: seconds)
    }
}
