// SPDX-License-Identifier: Apache-2.0

/// The time in which a browser is known to be a customer's, from the password
/// that was typed in it. Its secret token is in a cookie of the store's origin.
package struct BrowserSession: Hashable, Sendable {
    /// 8 random bytes in hexadecimal, by which the customer ends the session.
    package var identifier: String
    package var account: AccountIdentifier
    /// The name that the browser gives itself.
    package var browser: String
    package var opened: WallTime
    /// The last page or answer, exact to ``precision``.
    package var seen: WallTime
    /// When the password was typed.
    package var typed: WallTime
    package var expires: WallTime
    /// Whether the password was typed less than ``freshness`` ago.
    package var isFresh = false

    /// The time for which a browser is known.
    package static let lifetime: Duration = .seconds(30 * 24 * 60 * 60)
    /// The time after which the password has to be typed again.
    package static let freshness: Duration = .seconds(15 * 60)
    /// How exactly the last use is recorded. Recording each would make every
    /// page a write.
    static let precision: Duration = .seconds(5 * 60)
    /// The most sessions of an account. A further one ends the session that
    /// was used longest ago.
    static let limit = 50
    /// The largest number of bytes of a browser's name that is kept.
    static let longestBrowser = 200

    /// The part of a `User-Agent` that is kept, without controls.
    static func name(of userAgent: String) -> String {
        var name = ""
        for scalar in userAgent.unicodeScalars where !scalar.isInvisible {
            guard name.utf8.count + UTF8.width(scalar) <= longestBrowser else { break }
            name.unicodeScalars.append(scalar)
        }
        return name.trimmingWhitespace()
    }

    /// Whether the password was typed within ``freshness`` before `now`. A
    /// time in the future was written by a wrong clock.
    static func isFresh(typed: WallTime, now: WallTime) -> Bool {
        now < typed + freshness && typed <= now + SignInThrottle.clockSkew
    }

    /// Whether the last use has to be recorded.
    func isUseDue(now: WallTime) -> Bool { Self.isUseDue(seen: seen, now: now) }

    /// Whether the last use of a session has to be recorded again.
    static func isUseDue(seen: WallTime, now: WallTime) -> Bool {
        seen + precision <= now || now + precision <= seen
    }
}

/// A browser's session with its account.
package struct SignedInBrowser: Sendable {
    package var session: BrowserSession
    package var account: Account
}
