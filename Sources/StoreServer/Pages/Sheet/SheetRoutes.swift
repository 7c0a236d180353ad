// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// The sheets: pages on which the customer confirms or cancels a payment, signs
/// in, redeems a code or agrees to a price.
///
/// A sheet's address is enough to see and to cancel it. Confirming needs the
/// password, or the session cookie of a browser in which it was typed lately;
/// an answer that a page of another origin sends is refused.
struct SheetRoutes {
    let service: StoreService
    let limits: RequestLimits
    let pages: SheetPages
    let authentication: CustomerAuthentication

    func add(to router: StoreRouter) {
        router.get("/sheet/sheet.js") { _, _ in pages.script }
        router.get("/sheet/pending.js") { _, _ in pages.pendingScript }
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

    /// The language of a sheet's pages.
    private func language(_ view: SheetView, _ request: Hummingbird.Request) -> PageLanguage {
        PageLanguage(LanguagePreference(request.languages(of: view.account), in: view.storefront))
    }

    private func show(_ token: String, _ request: Hummingbird.Request) async throws -> Response {
        do {
            let customer = await authentication.session(request, onSheet: token)
            let view = try await service.sheet(token, as: customer)
            return result(view, request) ?? pages.page(view, session: customer, request: request)
        } catch {
            return pages.common.failure(service.failure(of: error, at: "sheet"), request: request)
        }
    }

    /// The page of a payment after its confirmation; `nil` for a sheet that
    /// has no result to show.
    private func result(_ view: SheetView, _ request: Hummingbird.Request) -> Response? {
        guard view.request.kind == .payment || view.request.kind == .redemption else { return nil }
        switch view.sheet.status {
        case .processing:
            return pages.waiting(
                for: view.pending, action: view.pending.flatMap(service.actionAddress), in: language(view, request),
                request: request)
        case .confirmed where view.request.status == .done:
            return pages.outcome(
                .purchased, chosen: view.chosen, item: view.item, cookie: nil, in: language(view, request),
                request: request)
        default:
            return nil
        }
    }

    private func answer(
        _ token: String, _ request: Hummingbird.Request, from address: String?
    ) async throws -> Response {
        var customer = PageCustomer(request, from: address)
        do {
            let form = try await authentication.form(&customer, request)
            let view = try await service.sheet(token)
            customer.language = language(view, request)
            // A sheet that has ended is refused before the password is checked.
            if let refusal = view.refusal { throw refusal }
            customer.isOnOwnDevice = view.account.map { $0.email == Account.normalized(form.email ?? "") } ?? false
            return try await answer(view, form, &customer, request)
        } catch {
            return await refusal(service.failure(of: error, at: "sheet"), token, customer, request)
        }
    }

    private func answer(
        _ view: SheetView, _ form: CustomerForm, _ customer: inout PageCustomer, _ request: Hummingbird.Request
    ) async throws -> Response {
        let token = view.sheet.token
        switch form.decision {
        case "cancel":
            try await service.cancelSheet(token)
            let isConsent = view.request.kind == .priceConsent
            return pages.outcome(isConsent ? .notNow : .cancelled, cookie: nil, in: customer.language, request: request)
        case "buy": return try await buy(token, form, &customer, request)
        case "methods": return try await chooseMethod(token, form, &customer, request)
        case "agree": return try await agree(token, form, &customer, request)
        case "check": return try await check(view, form, &customer, request)
        case "redeem": return try await redeem(token, form, &customer, request)
        case "change":
            let session = await authentication.session(request)
            return pages.page(view, session: session, typed: form, request: request)
        case "sign-in":
            let account = try await authentication.account(form, sheet: token, &customer, request)
            try await service.signIn(onSheet: token, as: account)
            return pages.outcome(.signedIn, cookie: customer.cookie, in: customer.language, request: request)
        default:
            throw StoreFailure(.invalid, "decision is buy, methods, sign-in, agree, check, redeem or cancel.")
        }
    }

    private func buy(
        _ token: String, _ form: CustomerForm, _ customer: inout PageCustomer, _ request: Hummingbird.Request
    ) async throws -> Response {
        let shown = try form.agreed()
        let account = try await authentication.account(form, sheet: token, &customer, request)
        let bought = try await service.buy(
            onSheet: token, as: account, shown: shown, contact: try form.contact(of: account),
            method: form.method?.nonEmpty.map { PaymentMethodIdentifier($0) },
            tokens: ClickCookie(isSecure: authentication.sessionsAreSafe)
                .tokens(of: request, now: service.clock.now()))
        return try await outcome(of: bought, token, shown.change, customer, request)
    }

    /// The page again with the payment methods of a customer whose password or
    /// session was checked: before that, a sheet doesn't show them to its app.
    private func chooseMethod(
        _ token: String, _ form: CustomerForm, _ customer: inout PageCustomer, _ request: Hummingbird.Request
    ) async throws -> Response {
        let account = try await authentication.account(form, sheet: token, &customer, request)
        let view = try await service.sheet(token, as: account)
        // With the new cookie the password isn't typed again.
        let isSignedIn = await authentication.session(of: customer, request) != nil
        return pages.page(
            view, session: isSignedIn ? account : nil, typed: form, cookie: customer.cookie, request: request)
    }

    /// The page after a confirmed purchase.
    ///
    /// - Throws: `StoreFailure` `invalid` for one that was refused.
    func outcome(
        of bought: DeviceRequest, _ token: String, _ change: PlanChange?, _ customer: PageCustomer,
        _ request: Hummingbird.Request
    ) async throws -> Response {
        switch bought.status {
        case .deferred:
            return pages.outcome(.asked, cookie: customer.cookie, in: customer.language, request: request)
        case .interrupted:
            return pages.outcome(.interrupted, cookie: customer.cookie, in: customer.language, request: request)
        case .processing:
            // The payment is recorded: a customer who saw an error could
            // pay twice. The page reloads, and then shows the bank's part.
            let pending = (try? await service.sheet(token))?.pending
            return pages.waiting(
                for: pending, action: pending.flatMap(service.actionAddress), cookie: customer.cookie,
                in: customer.language, request: request)
        default: break
        }
        if bought.failure?.underlying == .subscribed {
            return pages.outcome(.subscribed, cookie: customer.cookie, in: customer.language, request: request)
        }
        if let failure = bought.failure {
            throw StoreFailure(.invalid, failure.message, reason: CustomerRefusal(failure.code))
        }
        let hasMore = change?.charges == false || bought.bundleIdentifier == Item.catalogue
        let view = hasMore ? try? await service.sheet(token) : nil
        return pages.outcome(
            .purchased, chosen: view?.chosen, item: view?.item, cookie: customer.cookie, in: customer.language,
            request: request)
    }

    /// The response to a refused answer: the page again while the sheet is
    /// open, with the price in the storefront of the account whose password
    /// or session was checked.
    private func refusal(
        _ failure: StoreFailure, _ token: String, _ customer: PageCustomer, _ request: Hummingbird.Request
    ) async -> Response {
        if let view = try? await service.sheet(token, as: customer.account), view.refusal == nil {
            return pages.page(
                view, session: await authentication.session(request), typed: customer.typed, failure: failure,
                cookie: customer.cookie, request: request)
        }
        return pages.common.failure(failure, in: customer.language, request: request)
    }
}
