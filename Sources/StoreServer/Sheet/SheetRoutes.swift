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
            let view = try await service.sheet(token)
            return pages.page(view, session: await session(request), request: request)
        } catch {
            return pages.failure(service.failure(of: error, at: "sheet"), request: request)
        }
    }

    private func answer(_ token: String, _ request: Hummingbird.Request) async throws -> Response {
        var typed: String?
        do {
            try request.refuseOtherOrigins()
            let body = try await request.wholeBody(upTo: Self.formLimit)
            guard let form = try? URLEncodedFormDecoder().decode(SheetForm.self, from: String(buffer: body)) else {
                throw StoreFailure(.malformed, "The form can't be read.")
            }
            typed = form.email
            // A page that is over says so before it asks for a password.
            if let refusal = try await service.sheet(token).refusal { throw refusal }
            return try await answer(token, form, request)
        } catch {
            return await refusal(service.failure(of: error, at: "sheet"), token, typed, request)
        }
    }

    private func answer(_ token: String, _ form: SheetForm, _ request: Hummingbird.Request) async throws -> Response {
        switch form.decision {
        case "cancel":
            try await service.cancelSheet(token)
            return pages.outcome(.cancelled, cookie: nil, request: request)
        case "buy":
            let (account, cookie) = try await account(form, request)
            let bought = try await service.buy(onSheet: token, as: account, shown: form.shownPrice)
            if let failure = bought.failure { throw StoreFailure(.invalid, failure.message) }
            return pages.outcome(.purchased, cookie: cookie, request: request)
        case "sign-in":
            let (account, cookie) = try await account(form, request)
            try await service.signIn(onSheet: token, as: account)
            return pages.outcome(.signedIn, cookie: cookie, request: request)
        default:
            throw StoreFailure(.invalid, "decision is buy, sign-in or cancel.")
        }
    }

    /// Who the customer is: by the password, else by the browser's cookie.
    private func account(_ form: SheetForm, _ request: Hummingbird.Request) async throws -> (Account, cookie: String?) {
        if let password = form.password, !password.isEmpty {
            let account = try await service.signIn(email: form.email ?? "", password: password)
            return (account, try await service.openSheetSession(for: account))
        }
        if let account = await session(request),
            form.email.map({ $0.isEmpty || Account.normalized($0) == account.email }) ?? true
        {
            return (account, nil)
        }
        throw StoreFailure(.wrongPassword, "Type the account and its password.")
    }

    private func session(_ request: Hummingbird.Request) async -> Account? {
        guard let cookie = request.cookies[SheetPages.cookieName]?.value else { return nil }
        return try? await service.sheetSession(cookie)
    }

    /// A refused answer: the page again while it can still be answered.
    private func refusal(
        _ failure: StoreFailure, _ token: String, _ typed: String?, _ request: Hummingbird.Request
    ) async -> Response {
        if let view = try? await service.sheet(token), view.refusal == nil {
            return pages.page(
                view, session: await session(request), typed: typed, failure: failure, request: request)
        }
        return pages.failure(failure, request: request)
    }
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
