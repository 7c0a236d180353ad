// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import StoreAPI
import StoreDomain
import StoreService

/// The payment sheet: a page on which the customer, and nobody else, decides.
///
/// Knowing a sheet's address is enough to see and to cancel it. Confirming
/// needs the password, or the cookie of a browser into which it was typed
/// lately; a page of another origin can't use either.
struct SheetRoutes {
    let service: StoreService
    let limits: RequestLimits
    let pages: SheetPages

    static let formLimit = 16 << 10

    init(service: StoreService, limits: RequestLimits) throws {
        self.service = service
        self.limits = limits
        pages = try SheetPages()
    }

    func add(to router: StoreRouter) {
        router.get("/sheet/sheet.css") { _, _ in pages.style }
        router.get("/sheet/sheet.js") { _, _ in pages.script }
        router.get("/sheet/:token") { request, context in
            try await show(try context.parameters.require("token"), request)
        }
        router.post("/sheet/:token") { request, context in
            try await answer(try context.parameters.require("token"), request, from: context.clientAddress)
        }
        router.post("/sheet/:token/closed") { request, context in
            try request.refuseOtherOrigins(of: service.publicURL)
            try await service.closeSheet(try context.parameters.require("token"))
            return Response(status: .noContent)
        }
    }

    private func show(_ token: String, _ request: Hummingbird.Request) async throws -> Response {
        do {
            let customer = await session(request)
            let view = try await service.sheet(token, as: customer)
            return pages.page(view, session: customer, request: request)
        } catch {
            return pages.failure(service.failure(of: error, at: "sheet"), request: request)
        }
    }

    private func answer(
        _ token: String, _ request: Hummingbird.Request, from address: String?
    ) async throws -> Response {
        var customer = SheetCustomer(address: address)
        do {
            try request.refuseOtherOrigins(of: service.publicURL)
            let form = try await limits.bodies.withBody(of: request, from: address, upTo: Self.formLimit) { body in
                try SheetForm(reading: String(buffer: body))
            }
            customer.typed = form.email
            let view = try await service.sheet(token)
            // A page that is over says so before it asks for a password.
            if let refusal = view.refusal { throw refusal }
            customer.isOnOwnDevice = view.account.map { $0.email == Account.normalized(form.email ?? "") } ?? false
            return try await answer(token, form, &customer, request)
        } catch {
            return await refusal(service.failure(of: error, at: "sheet"), token, customer, request)
        }
    }

    private func answer(
        _ token: String, _ form: SheetForm, _ customer: inout SheetCustomer, _ request: Hummingbird.Request
    ) async throws -> Response {
        switch form.decision {
        case "cancel":
            try await service.cancelSheet(token)
            return pages.outcome(.cancelled, cookie: nil, request: request)
        case "buy":
            let shown = try form.shownPrice()
            let account = try await authenticate(token, form, &customer, request)
            let bought = try await service.buy(onSheet: token, as: account, shown: shown)
            switch bought.status {
            case .deferred: return pages.outcome(.asked, cookie: customer.cookie, request: request)
            case .interrupted: return pages.outcome(.interrupted, cookie: customer.cookie, request: request)
            case .processing: return pages.outcome(.underWay, cookie: customer.cookie, request: request)
            default: break
            }
            if let failure = bought.failure { throw StoreFailure(.invalid, failure.message) }
            return pages.outcome(.purchased, cookie: customer.cookie, request: request)
        case "sign-in":
            let account = try await authenticate(token, form, &customer, request)
            try await service.signIn(onSheet: token, as: account)
            return pages.outcome(.signedIn, cookie: customer.cookie, request: request)
        default:
            throw StoreFailure(.invalid, "decision is buy, sign-in or cancel.")
        }
    }

    /// Finds out who the customer is: by the password, else by the cookie of
    /// a browser that sends the form from a page of the store itself.
    private func authenticate(
        _ token: String, _ form: SheetForm, _ customer: inout SheetCustomer, _ request: Hummingbird.Request
    ) async throws -> Account {
        if let password = form.password, !password.isEmpty {
            let account = try await check(password, form, token, customer)
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

    /// Checks a typed password, and counts a wrong one for the network address
    /// too, unless the account is signed in on the device that asks.
    private func check(
        _ password: String, _ form: SheetForm, _ token: String, _ customer: SheetCustomer
    ) async throws -> Account {
        let address = customer.isOnOwnDevice ? nil : customer.address
        try limits.wrongPasswords.check(address, now: service.clock.now(), "wrong passwords")
        do {
            return try await service.signIn(email: form.email ?? "", password: password, onSheet: token)
        } catch let error as DomainError where error.code == .wrongPassword {
            if let address { _ = limits.wrongPasswords.take(address, now: service.clock.now()) }
            throw error
        }
    }

    /// A browser keeps a cookie for one host whatever the port, and over http
    /// anybody else on that host could ask for it. So the password is typed
    /// each time unless the store has an https address.
    private var sessionsAreSafe: Bool { service.publicURL.hasPrefix("https://") }

    private func session(_ request: Hummingbird.Request) async -> Account? {
        guard sessionsAreSafe, let cookie = request.cookies[SheetPages.cookieName]?.value else { return nil }
        return try? await service.sheetSession(cookie)
    }

    /// A refused answer: the page again while it can still be answered, with
    /// the price of the store of whoever has typed the password.
    private func refusal(
        _ failure: StoreFailure, _ token: String, _ customer: SheetCustomer, _ request: Hummingbird.Request
    ) async -> Response {
        if let view = try? await service.sheet(token, as: customer.account), view.refusal == nil {
            return pages.page(
                view, session: await session(request), typed: customer.typed, failure: failure,
                cookie: customer.cookie, request: request)
        }
        return pages.failure(failure, request: request)
    }
}

/// What is known of who answers a sheet.
struct SheetCustomer {
    /// The key of the network address that the answer comes from.
    var address: String?
    /// What was typed as the account.
    var typed: String?
    /// Whether that account is signed in on the device that asks.
    var isOnOwnDevice = false
    /// Whose password was right.
    var account: Account?
    /// The token of a new session for the browser.
    var cookie: String?
}

extension Hummingbird.Request {
    /// Refuses what a page of another origin sent. A browser says so in
    /// `Sec-Fetch-Site` (Fetch Metadata) where the store's address is https or
    /// this machine's, and in `Origin` elsewhere; other clients send neither.
    ///
    /// - Parameter publicURL: The store's address, which a proxy may have
    ///   replaced in the request's head.
    /// - Throws: `StoreFailure` `crossSite`.
    func refuseOtherOrigins(of publicURL: String) throws {
        let isOurs =
            if let name = HTTPField.Name("Sec-Fetch-Site"), let site = headers[name] {
                site == "same-origin" || site == "none"
            } else if let origin = headers[.origin] {
                [publicURL, "http://\(head.authority ?? "")", "https://\(head.authority ?? "")"].contains(origin)
            } else {
                true
            }
        guard isOurs else { throw StoreFailure(.crossSite, "This request was sent by a page of another site.") }
    }

    var wantsJSON: Bool {
        headers[.accept]?.contains("application/json") ?? false
    }
}
