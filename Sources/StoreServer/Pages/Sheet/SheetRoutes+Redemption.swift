// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain
import StoreService

extension SheetRoutes {
    /// Shows the product and the terms of a code before it is redeemed.
    func check(
        _ view: SheetView, _ form: CustomerForm, _ customer: inout PageCustomer, _ request: Hummingbird.Request
    ) async throws -> Response {
        let token = view.sheet.token
        let account = try await authentication.account(form, sheet: token, &customer, request)
        let terms = try await service.terms(of: form.code ?? "", onSheet: token, as: account)
        let session = await authentication.session(request)
        return pages.checked(
            view, terms, of: account, typed: form,
            isSignedIn: customer.cookie != nil || session?.identifier == account.identifier, cookie: customer.cookie,
            request: request)
    }

    /// Redeems a code on the terms that were on the page.
    func redeem(
        _ token: String, _ form: CustomerForm, _ customer: inout PageCustomer, _ request: Hummingbird.Request
    ) async throws -> Response {
        let shown = try form.agreed()
        let account = try await authentication.account(form, sheet: token, &customer, request)
        let bought = try await service.redeem(
            form.code ?? "", onSheet: token, as: account, shown: shown)
        return try await outcome(of: bought, token, shown.change, customer, request)
    }
}

extension SheetPages {
    /// The page with the product and the terms of a code.
    func checked(
        _ view: SheetView, _ terms: CodeTerms, of account: Account, typed: CustomerForm, isSignedIn: Bool,
        cookie: String?, request: Hummingbird.Request
    ) -> Response {
        let given = RedemptionModel.Given(terms, for: account, languages: request.languages(of: account))
        let model = RedemptionModel(
            view, given: given, isSignedIn: isSignedIn, typed: typed, message: nil,
            in: PageLanguage(request, of: account))
        var response = request.wantsJSON ? Response.json(given) : Response.page(redeem.render(model))
        if let cookie { response.setSession(cookie) }
        return response
    }
}
