// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// Authenticates the user of a page of Connect by the session cookie.
///
/// Unlike the customers' pages, Connect has sessions also over http, if the
/// store's address is this machine's: a developer's browser then sends the
/// cookie to `/connect` of other servers on this machine too, and nowhere else.
/// At other http addresses sign-ins are refused.
struct ConnectAuthentication {
    let service: StoreService
    let limits: RequestLimits

    private var isHTTPS: Bool { service.publicURL.hasPrefix("https://") }

    /// Browsers accept a cookie with the prefix `__Host-` only from the host
    /// itself over https.
    private var cookieName: String { isHTTPS ? "__Host-connect_session" : "connect_session" }

    /// A cookie that opens nothing: a browser with it isn't locked out by wrong passwords that others type.
    private var browserCookieName: String { isHTTPS ? "__Host-connect_browser" : "connect_browser" }

    /// The values of the cookies of a browser in which a user has just signed in.
    struct Opened {
        var session: String
        var browser: String
    }

    /// The browser's session; `nil` without one.
    func signedIn(_ request: Request) async throws -> SignedInUser? {
        guard service.isConnectSafe, let token = token(request) else { return nil }
        return try await service.teamSessions.find(token)
    }

    /// Refuses users at an address where a cookie isn't safe.
    ///
    /// - Throws: `StoreFailure` `forbidden`.
    func requireSafety() throws {
        guard service.isConnectSafe else {
            throw StoreFailure(
                .forbidden,
                "Connect needs an https address of the store. Its operator sets one by serve --public-url.")
        }
    }

    /// Checks the typed values, and opens a session of the browser in the
    /// place of the one that it has.
    ///
    /// - Throws: `StoreFailure` `throttled`, and the errors of
    ///   `StoreService.signInTeamUser`.
    func signIn(_ form: ConnectForm, _ request: Request, from address: String?) async throws -> Opened {
        try limits.wrongPasswords.check(address, now: service.clock.now(), "wrong passwords")
        let user: TeamUser
        do {
            user = try await service.signInTeamUser(
                email: form["email"], password: form["password"], code: form["code"], from: address,
                browser: request.cookies[browserCookieName]?.value)
        } catch let error as DomainError where error.code == .wrongPassword {
            if let address, error.reason != .code {
                _ = limits.wrongPasswords.take(address, now: service.clock.now())
            }
            throw error
        }
        return try await open(for: user, request)
    }

    /// Opens a session of a user whose password was checked.
    func open(for user: TeamUser, _ request: Request) async throws -> Opened {
        let sessions = service.teamSessions
        return Opened(
            session: try await sessions(
                for: user, browser: request.headers[.userAgent] ?? "", replacing: token(request)),
            browser: try await sessions.know(browser: request.cookies[browserCookieName]?.value, of: user))
    }

    func signOut(_ request: Request) async throws {
        if let token = token(request) { try await service.teamSessions.close(token) }
    }

    /// Reads a form that a page of the store has sent.
    ///
    /// A browser names the origin of every form. One without the name isn't
    /// carried out: it would be carried out by the cookie.
    ///
    /// - Throws: `StoreFailure` `crossSite` for a form of another site; the
    ///   errors of `BodyBudget.withBody`.
    func form(
        _ request: Request, from address: String?, upTo limit: Int = ConnectForm.limit
    ) async throws -> ConnectForm {
        try requireOwnOrigin(request)
        let boundary = request.headers[.contentType].flatMap(MultipartForm.boundary)
        return try await limits.bodies.withBody(of: request, from: address, upTo: limit) { body in
            guard let boundary else { return try ConnectForm(reading: String(buffer: body)) }
            let parts = try MultipartForm(Data(body.readableBytesView), boundary: boundary)
            var form = ConnectForm()
            (form.fields, form.file) = (parts.fields, parts.file)
            return form
        }
    }

    /// - Throws: `StoreFailure` `crossSite` for a form of another site.
    func requireOwnOrigin(_ request: Request) throws {
        try request.refuseOtherOrigins(of: service.publicURL)
        guard let origin = request.headers[.origin], request.isOwn(origin: origin, of: service.publicURL) else {
            throw StoreFailure(.crossSite, "This form wasn't sent by a page of the store.")
        }
    }

    /// The longest time for which a browser is known after a sign-in, in seconds.
    private static let browserLifetime = 365 * 24 * 60 * 60

    /// Sets the cookies of a browser in which a user has signed in.
    func set(_ opened: Opened, on response: inout Response) {
        set(cookieName, opened.session, for: Int(TeamSession.lifetime.components.seconds), on: &response)
        set(browserCookieName, opened.browser, for: Self.browserLifetime, on: &response)
    }

    /// Removes the session's cookie. The browser stays known.
    func endSession(on response: inout Response) { set(cookieName, "", for: 0, on: &response) }

    private func set(_ name: String, _ value: String, for seconds: Int, on response: inout Response) {
        response.setCookie(
            Cookie(
                name: name, value: value, maxAge: seconds, path: isHTTPS ? "/" : "/connect", secure: isHTTPS,
                httpOnly: true, sameSite: .strict))
    }

    private func token(_ request: Request) -> String? {
        request.cookies[cookieName]?.value
    }
}
