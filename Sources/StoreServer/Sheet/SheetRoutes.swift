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
    let pages: SheetPages

    private static let formLimit = 16 << 10

    init(service: StoreService) throws {
        self.service = service
        pages = try SheetPages()
    }

    func add(to router: Router<BasicRequestContext>) {
        router.get("/sheet/sheet.css") { _, _ in pages.style }
        router.get("/sheet/sheet.js") { _, _ in pages.script }
        router.get("/sheet/:token") { request, context in
            try await show(try context.parameters.require("token"), request)
        }
        router.post("/sheet/:token") { request, context in
            try await answer(try context.parameters.require("token"), request)
        }
        router.post("/sheet/:token/closed") { request, context in
            try request.refuseOtherOrigins()
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

    private func answer(_ token: String, _ request: Hummingbird.Request) async throws -> Response {
        var customer = SheetCustomer()
        do {
            try request.refuseOtherOrigins()
            let body = try await request.wholeBody(upTo: Self.formLimit)
            guard let form = try? URLEncodedFormDecoder().decode(SheetForm.self, from: String(buffer: body)) else {
                throw StoreFailure(.malformed, "The form can't be read.")
            }
            customer.typed = form.email
            // A page that is over says so before it asks for a password.
            if let refusal = try await service.sheet(token).refusal { throw refusal }
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
            let account = try await authenticate(form, &customer, request)
            let bought = try await service.buy(onSheet: token, as: account, shown: form.shownPrice)
            switch bought.status {
            case .deferred: return pages.outcome(.asked, cookie: customer.cookie, request: request)
            case .interrupted: return pages.outcome(.interrupted, cookie: customer.cookie, request: request)
            default: break
            }
            if let failure = bought.failure { throw StoreFailure(.invalid, failure.message) }
            return pages.outcome(.purchased, cookie: customer.cookie, request: request)
        case "sign-in":
            let account = try await authenticate(form, &customer, request)
            try await service.signIn(onSheet: token, as: account)
            return pages.outcome(.signedIn, cookie: customer.cookie, request: request)
        default:
            throw StoreFailure(.invalid, "decision is buy, sign-in or cancel.")
        }
    }

    /// Finds out who the customer is: by the password, else by the cookie of
    /// a browser that sends the form from a page of the store itself.
    private func authenticate(
        _ form: SheetForm, _ customer: inout SheetCustomer, _ request: Hummingbird.Request
    ) async throws -> Account {
        if let password = form.password, !password.isEmpty {
            let account = try await service.signIn(email: form.email ?? "", password: password)
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
    /// What was typed as the account.
    var typed: String?
    /// Whose password was right.
    var account: Account?
    /// The token of a new session for the browser.
    var cookie: String?
}

/// What the page's form sends.
struct SheetForm: Decodable {
    var decision: String?
    var email: String?
    var password: String?
    /// The price that was on the page, as `milliunits currency`.
    var shown: String?

    var shownPrice: Money? {
        let parts = (shown ?? "").split(separator: " ")
        guard parts.count == 2, let milliunits = Int64(parts[0]) else { return nil }
        return Money(milliunits: milliunits, currency: String(parts[1]))
    }
}

extension Hummingbird.Request {
    /// Refuses what a page of another origin sent. Browsers say so themselves
    /// (Fetch Metadata, `Sec-Fetch-Site`); other clients don't.
    func refuseOtherOrigins() throws {
        guard let name = HTTPField.Name("Sec-Fetch-Site"), let site = headers[name] else { return }
        guard site == "same-origin" || site == "none" else {
            throw StoreFailure(.crossSite, "This form was sent by a page of another site.")
        }
    }

    var wantsJSON: Bool {
        headers[.accept]?.contains("application/json") ?? false
    }
}
