// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The pages on which customers see and change their account, without a
/// device.
///
/// A page needs the password, or the session cookie of a browser in which it
/// was typed lately; an answer that a page of another origin sends is refused.
struct SettingsRoutes {
    let service: StoreService
    let limits: RequestLimits
    let pages: AccountPages
    let authentication: CustomerAuthentication

    func add(to router: StoreRouter) {
        router.get("/account/settings") { request, _ in await show(SettingsPage(service: service), request) }
        router.post("/account/settings") { request, context in
            await answer(SettingsPage(service: service), request, from: context.clientAddress)
        }
        router.get("/account/payment") { request, _ in await show(PaymentPage(service: service), request) }
        router.post("/account/payment") { request, context in
            await answer(PaymentPage(service: service), request, from: context.clientAddress)
        }
        router.get("/account/devices") { request, _ in await show(DevicesPage(service: service), request) }
        router.post("/account/devices") { request, context in
            await answer(DevicesPage(service: service), request, from: context.clientAddress)
        }
        router.get("/account/sessions") { request, _ in await show(SessionsPage(service: service), request) }
        router.post("/account/sessions") { request, context in
            await answer(SessionsPage(service: service), request, from: context.clientAddress)
        }
        router.get("/account/password") { request, _ in await show(PasswordPage(service: service), request) }
        router.post("/account/password") { request, context in
            await answer(PasswordPage(service: service), request, from: context.clientAddress)
        }
        router.get("/account/email") { request, _ in await show(EmailPage(service: service), request) }
        router.post("/account/email") { request, context in
            await answer(EmailPage(service: service), request, from: context.clientAddress)
        }
        router.get("/account/delete") { request, _ in await show(DeletionPage(service: service), request) }
        router.post("/account/delete") { request, context in
            await answer(DeletionPage(service: service), request, from: context.clientAddress)
        }
    }

    private func show(_ page: some AccountPage, _ request: Request) async -> Response {
        var language = PageLanguage(request)
        do {
            guard let signedIn = await authentication.browserSession(request), signedIn.session.isFresh else {
                if request.wantsJSON { throw StoreFailure(.wrongPassword, "Sign in first.") }
                return pages.settings(signInModel(page, language, nil), request: request)
            }
            language = PageLanguage(request, of: signedIn.account)
            let contents = try await page.contents(of: signedIn.account, signedIn.session, in: language)
            let model = model(page, language, contents, signedIn.account, hasSession: true)
            return pages.settings(model, contents, request: request)
        } catch {
            return pages.common.failure(service.failure(of: error, at: "account"), in: language, request: request)
        }
    }

    private func answer(_ page: some AccountPage, _ request: Request, from address: String?) async -> Response {
        var customer = PageCustomer(request, from: address)
        do {
            let form = try await authentication.form(&customer, request)
            if form.decision == "sign-out" {
                try await authentication.signOut(request)
                return pages.settings(signInModel(page, customer.language, form), isSignedOut: true, request: request)
            }
            if page.needsPassword, form.decision != "show", form.password?.isEmpty ?? true {
                throw StoreFailure(.wrongPassword, "Type the password of the account.")
            }
            let account = try await authentication.account(form, sheet: nil, &customer, request)
            customer.language = PageLanguage(request, of: account)
            let session = await authentication.session(of: customer, request)
            let outcome =
                page.needsPassword && form.decision == "show"
                ? .stays(nil) : try await page.carryOut(form, of: account, session, in: customer.language)
            return try await response(to: outcome, page, account, session, &customer, request)
        } catch {
            return await refusal(service.failure(of: error, at: "account"), page, customer, request)
        }
    }

    private func response(
        to outcome: AccountPageOutcome, _ page: some AccountPage, _ account: Account, _ session: BrowserSession?,
        _ customer: inout PageCustomer, _ request: Request
    ) async throws -> Response {
        var (account, session, notice) = (account, session, String?.none)
        switch outcome {
        case .stays(let sentence):
            notice = sentence
            // The answer may have changed the account.
            account = try await service.account(account.email)
            customer.language = PageLanguage(request, of: account)
        case .passwordChanged(let changed, let sentence):
            (account, notice) = (changed, sentence)
            customer.cookie = try await authentication.open(for: changed, request)
            session = await authentication.session(of: customer, request)
        case .signedOut(let sentence):
            var model = signInModel(page, customer.language, customer.typed)
            model.notice = sentence
            return pages.settings(model, isSignedOut: true, request: request)
        case .ends(let result):
            var response =
                request.wantsJSON ? Response.json(["outcome": "deleted"]) : pages.common.result(result)
            response.setSession("", maxAge: 0)
            return response
        }
        let contents = try await page.contents(of: account, session, in: customer.language)
        var model = model(page, customer.language, contents, account, hasSession: session != nil)
        model.notice = notice
        return pages.settings(model, contents, cookie: customer.cookie, request: request)
    }

    /// The page again with the failure: its contents for a customer whose
    /// password or session was checked, otherwise the sign-in.
    private func refusal(
        _ failure: StoreFailure, _ page: some AccountPage, _ customer: PageCustomer, _ request: Request
    ) async -> Response {
        let language = customer.account.map { PageLanguage(request, of: $0) } ?? customer.language
        var model = signInModel(page, language, customer.typed)
        let session = await authentication.session(of: customer, request)
        if failure.code != .crossSite, let account = customer.account,
            let contents = try? await page.contents(of: account, session, in: language)
        {
            model = self.model(page, language, contents, account, hasSession: session != nil)
        }
        model.message = PageMessage(failure, in: language)
        return pages.settings(model, failure: failure, cookie: customer.cookie, request: request)
    }

    private func signInModel<Page: AccountPage>(
        _ page: Page, _ language: PageLanguage, _ form: CustomerForm?
    ) -> SettingsModel {
        SettingsModel(language, at: Page.place, of: service, typed: form?.email)
    }

    private func model(
        _ page: some AccountPage, _ language: PageLanguage, _ contents: SettingsContents, _ account: Account,
        hasSession: Bool
    ) -> SettingsModel {
        var model = signInModel(page, language, nil)
        model.show(contents, of: account.email, asksForPassword: page.needsPassword || !hasSession)
        return model
    }
}
