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

    /// The account of the browser's session; `nil` without one.
    func session(_ request: Hummingbird.Request) async -> Account? {
        guard let cookie = token(request) else { return nil }
        return try? await service.sheetSession(cookie)
    }

    /// Ends the browser's session, if it has one.
    func signOut(_ request: Hummingbird.Request) async throws {
        if let cookie = token(request) { try await service.closeSheetSession(cookie) }
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
            if sessionsAreSafe { customer.cookie = try await service.openSheetSession(for: account) }
            return account
        }
        if let account = await session(request), request.headers[.origin] == service.publicURL,
            form.email.map({ $0.isEmpty || Account.normalized($0) == account.email }) ?? true
        {
            customer.account = account
            return account
        }
        throw StoreFailure(.wrongPassword, "Type the account and its password.")
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
