// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// Authenticates the customer of a page: by the password, else by the session
/// cookie of a browser in which it was typed lately.
struct CustomerAuthentication {
    /// The name of the session cookie. Browsers accept a cookie with the
    /// prefix `__Host-` only from the host itself over https (RFC 6265bis,
    /// section 4.1.3.2).
    static let cookieName = "__Host-store_session"

    let service: StoreService
    let limits: RequestLimits

    /// Browsers send a host's cookies to all of its ports, and over http to
    /// any server there. Without an https address the password is therefore
    /// typed for each answer.
    var sessionsAreSafe: Bool { service.publicURL.hasPrefix("https://") }

    /// The account of the browser's session in which the password was typed
    /// lately; `nil` without one.
    func session(_ request: Hummingbird.Request) async -> Account? {
        guard let signedIn = await browserSession(request), signedIn.session.isFresh else { return nil }
        return signedIn.account
    }

    /// The browser's session, also one in which the password was typed long
    /// ago; `nil` without one.
    func browserSession(_ request: Hummingbird.Request) async -> SignedInBrowser? {
        guard let cookie = token(request) else { return nil }
        return try? await service.browserSession(cookie)
    }

    /// The account of the browser's session if it is enough for an answer on a
    /// sheet, by the account's rule (`PasswordRule`).
    func session(_ request: Hummingbird.Request, onSheet token: String) async -> Account? {
        guard let signedIn = await browserSession(request),
            await accepts(signedIn, onSheet: token, shown: Money(milliunits: 0, currency: ""))
        else { return nil }
        return signedIn.account
    }

    /// Whether a session is enough for an answer on a sheet. Only a customer
    /// who saw that a product costs nothing takes it without the password.
    private func accepts(_ signedIn: SignedInBrowser, onSheet token: String, shown: Money?) async -> Bool {
        let rule = signedIn.account.passwordRule
        if rule.accepts(signedIn.session, forFree: false) { return true }
        guard shown?.milliunits == 0, rule.accepts(signedIn.session, forFree: true) else { return false }
        return (try? await service.sheet(token, as: signedIn.account).isFree) ?? false
    }

    /// The session of a customer who has just typed the password, else that of
    /// the browser if it is of the same account.
    func session(of customer: PageCustomer, _ request: Hummingbird.Request) async -> BrowserSession? {
        if let cookie = customer.cookie { return try? await service.browserSession(cookie)?.session }
        guard let signedIn = await browserSession(request), signedIn.session.isFresh,
            signedIn.account.identifier == customer.account?.identifier
        else { return nil }
        return signedIn.session
    }

    /// Opens a session of the browser, which replaces the one that it has;
    /// `nil` without an https address.
    func open(for account: Account, _ request: Hummingbird.Request) async throws -> String? {
        guard sessionsAreSafe else { return nil }
        return try await service.openSheetSession(
            for: account, browser: request.headers[.userAgent] ?? "", replacing: token(request))
    }

    /// Ends the browser's session, if it has one.
    func signOut(_ request: Hummingbird.Request) async throws {
        if let cookie = token(request) { try await service.closeSheetSession(cookie) }
    }

    /// Reads the form that a customer has sent from a page of the store.
    ///
    /// - Throws: `StoreFailure` `crossSite` for a form of another site; the
    ///   errors of `RequestLimits.form(of:from:)`.
    func form(_ customer: inout PageCustomer, _ request: Hummingbird.Request) async throws -> CustomerForm {
        try request.refuseOtherOrigins(of: service.publicURL)
        let form = try await limits.form(of: request, from: customer.address)
        customer.typed = form
        return form
    }

    /// Returns the customer's account: by the password, else by the session
    /// cookie if the browser sent the form from a page of the store. `sheet`
    /// is the token of the sheet that is answered, if there is one.
    ///
    /// - Throws: `StoreFailure`: `wrongPassword` without either, `throttled`;
    ///   the errors of `StoreService.signIn(email:password:onSheet:from:)`.
    func account(
        _ form: CustomerForm, sheet: String?, _ customer: inout PageCustomer, _ request: Hummingbird.Request
    ) async throws -> Account {
        if let password = form.password, !password.isEmpty {
            let account = try await check(password, form, sheet, customer)
            customer.account = account
            customer.cookie = try await open(for: account, request)
            return account
        }
        if let signedIn = await browserSession(request), request.headers[.origin] == service.publicURL,
            form.email.map({ $0.isEmpty || Account.normalized($0) == signedIn.account.email }) ?? true,
            try await isEnough(signedIn, form, sheet)
        {
            customer.account = signedIn.account
            return signedIn.account
        }
        throw StoreFailure(.wrongPassword, "Type the account and its password.")
    }

    /// Whether a session is enough for a form without a password: on a sheet by
    /// the account's rule, elsewhere when the password was typed lately.
    private func isEnough(_ signedIn: SignedInBrowser, _ form: CustomerForm, _ sheet: String?) async throws -> Bool {
        guard let sheet else { return signedIn.session.isFresh }
        let shown = form.decision == "buy" ? try form.shownPrice() : nil
        return await accepts(signedIn, onSheet: sheet, shown: shown)
    }

    /// Checks a typed password. A wrong one is also counted for the network
    /// address, unless the account is signed in on the device of the sheet.
    private func check(
        _ password: String, _ form: CustomerForm, _ sheet: String?, _ customer: PageCustomer
    ) async throws -> Account {
        let address = customer.isOnOwnDevice ? nil : customer.address
        try limits.wrongPasswords.check(address, now: service.clock.now(), "wrong passwords")
        do {
            return try await service.signIn(
                email: form.email ?? "", password: password, onSheet: sheet, from: customer.address)
        } catch let error as DomainError where error.code == .wrongPassword {
            if let address { _ = limits.wrongPasswords.take(address, now: service.clock.now()) }
            throw error
        }
    }

    private func token(_ request: Hummingbird.Request) -> String? {
        sessionsAreSafe ? request.cookies[Self.cookieName]?.value : nil
    }
}
