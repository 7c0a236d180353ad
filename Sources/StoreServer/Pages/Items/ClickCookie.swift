// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreAPI
import StoreCore
import StoreDomain

/// The cookie with the tokens of the link that a visitor has clicked last.
///
/// It has no identifier of the visitor. The browser's purchases on the store's
/// pages within a day get the tokens; a click on another link with tokens
/// replaces them.
struct ClickCookie {
    /// The time for which a click counts.
    static let lifetime: Duration = .seconds(24 * 60 * 60)
    /// A click may be this far in the future: the nodes of a store have clocks
    /// of their own.
    private static let tolerance: Duration = .seconds(60)

    /// Whether the store has an https address, over which browsers accept a
    /// cookie with the prefix `__Host-` (RFC 6265bis, section 4.1.3.2).
    let isSecure: Bool

    var name: String { isSecure ? "__Host-store_click" : "store_click" }

    /// The tokens of a click in the day before `now`; `nil` without one.
    func tokens(of request: Request, now: WallTime) -> CampaignTokens? {
        guard let parts = request.cookies[name]?.value.split(separator: "&", maxSplits: 1), parts.count == 2,
            let milliseconds = Int64(parts[0]), Milliseconds.range.contains(milliseconds)
        else { return nil }
        let click = WallTime(milliseconds: milliseconds)
        let tokens = CampaignTokens(String(parts[1]))
        guard !tokens.isEmpty, click <= now + Self.tolerance, now < click + Self.lifetime else { return nil }
        return tokens
    }

    /// Saves the tokens of a click in the browser.
    func set(_ tokens: CampaignTokens, on response: inout Response, now: WallTime) {
        response.setCookie(
            Cookie(
                name: name, value: "\(now.milliseconds)&\(tokens.text)",
                maxAge: Int(Self.lifetime.components.seconds), path: "/", secure: isSecure, httpOnly: true,
                sameSite: .strict))
    }
}
