// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

/// The limits that all routes share: the memory for bodies, and the rates of
/// costly actions for each network address.
package struct RequestLimits: Sendable {
    let bodies: BodyBudget
    /// The packages of hosted content that arrive.
    let uploads: TeamPlaces
    /// The requests of signed-in users and of programs to Connect that are answered at a time: reading a list, or comparing a file,
    /// takes a reader of the database.
    let connectPlaces = TeamPlaces(
        RequestLimits.answered, ofATeam: RequestLimits.answeredOfATeam, ofAUser: RequestLimits.answeredOfAUser,
        StoreFailure(.throttled, "Too many requests are answered for you or your team: try again.", retryAfter: 1))
    /// Comparisons of files with an app, downloads of whole apps, and making and reading 25,000 codes: each computes for a second, on
    /// a thread that others need.
    let wholeApps = TeamPlaces(
        2, ofATeam: 1,
        StoreFailure(
            .throttled, "Files are being compared or written for your team or for others: try again.", retryAfter: 1))
    /// The requests of sellers' servers to the App Store Server API that are answered at a time.
    let serverPlaces = TeamPlaces(
        RequestLimits.answeredServers, ofATeam: RequestLimits.answeredServersOfATeam,
        StoreFailure(.throttled, "Too many requests are answered for your team: try again.", retryAfter: 1))
    /// New devices.
    let registrations = RateLimiter(burst: 200, perSecond: 1)
    /// Wrong passwords, on devices where the account isn't signed in.
    let wrongPasswords = RateLimiter(burst: 300, perSecond: 2)
    /// Messages to customers that are ordered.
    let messages = RateLimiter(burst: 20, perSecond: 0.1)
    /// Wrong shared secrets at `/verifyReceipt`, for each address and app.
    let wrongSecrets = RateLimiter(burst: 10, perSecond: 0.2)
    /// Requests to the App Store Server API, for each app.
    let serverRequests: RateLimiter
    /// Requests to the App Store Server API, for each team: its apps together have twice the rate of one.
    let serverRequestsOfATeam: RateLimiter
    /// Requests to Connect's API, for each team.
    let connectRequests: RateLimiter
    /// Lines of the log about receipts that `/verifyReceipt` refuses, and
    /// about an overload, and about refused tokens.
    let reportedRefusals = RateLimiter(burst: 20, perSecond: 1)

    /// The requests to Connect that are answered at a time: of all teams, of a team, and of a user or a key.
    static let answered = 64
    static let answeredOfATeam = 16
    static let answeredOfAUser = 8

    /// The requests to the App Store Server API that are answered at a time: of all teams, and of a team.
    static let answeredServers = 128
    static let answeredServersOfATeam = 32

    package init(_ limits: ServerLimits = ServerLimits()) {
        bodies = BodyBudget(limits)
        uploads = TeamPlaces(
            limits.uploads, ofATeam: limits.uploadsOfATeam,
            StoreFailure(
                .unavailable, "Too many packages are being uploaded: try again when one is complete.", retryAfter: 30))
        let (burst, perSecond) = (limits.serverRequestsPerSecond * 2, Double(limits.serverRequestsPerSecond))
        serverRequests = RateLimiter(burst: burst, perSecond: perSecond)
        serverRequestsOfATeam = RateLimiter(burst: 2 * burst, perSecond: 2 * perSecond)
        connectRequests = RateLimiter(burst: burst, perSecond: perSecond)
    }
}

extension RateLimiter {
    /// Counts one action of an address; counts nothing for a sender without
    /// one.
    ///
    /// - Throws: `StoreFailure` `throttled` when the action isn't allowed.
    func count(_ address: String?, now: WallTime, _ what: String) throws {
        guard let address, let seconds = take(address, now: now) else { return }
        throw Self.throttled(what, seconds)
    }

    /// Checks that an address may act, without counting.
    ///
    /// - Throws: `StoreFailure` `throttled`.
    func check(_ address: String?, now: WallTime, _ what: String) throws {
        guard let address, let seconds = wait(address, now: now) else { return }
        throw Self.throttled(what, seconds)
    }

    private static func throttled(_ what: String, _ seconds: Int) -> StoreFailure {
        StoreFailure(
            .throttled, "Too many \(what) come from this address: try again in \(seconds) s.", retryAfter: seconds)
    }
}
