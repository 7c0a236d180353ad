// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The page on which customers manage their subscriptions, without a device.
///
/// An answer needs the password, or the session cookie of a browser in which
/// it was typed lately; an answer that a page of another origin sends is
/// refused.
struct AccountRoutes {
    let service: StoreService
    let limits: RequestLimits
    let pages: AccountPages
    let authentication: CustomerAuthentication

    func add(to router: StoreRouter) {
        router.get("/account/subscriptions") { request, _ in await show(request) }
        router.post("/account/subscriptions") { request, context in await answer(request, from: context.clientAddress) }
    }

    private func show(_ request: Request) async -> Response {
        let account = await authentication.session(request)
        do {
            if account == nil, request.wantsJSON { throw StoreFailure(.wrongPassword, "Sign in first.") }
            return pages.subscriptions(try await model(of: account, request), request: request)
        } catch {
            return pages.common.failure(service.failure(of: error, at: "account"), request: request)
        }
    }

    private func answer(_ request: Request, from address: String?) async -> Response {
        var customer = PageCustomer(request, from: address)
        do {
            let form = try await authentication.form(&customer, request)
            if form.decision == "sign-out" {
                try await authentication.signOut(request)
                return pages.subscriptions(signInModel(form, customer.language), isSignedOut: true, request: request)
            }
            let account = try await authentication.account(form, sheet: nil, &customer, request)
            customer.language = PageLanguage(request, of: account)
            let notice = try await carryOut(form, of: account, SubscriptionWords.words(customer.language))
            var model = try await model(of: account, request, cookie: customer.cookie)
            model.notice = notice
            return pages.subscriptions(model, cookie: customer.cookie, request: request)
        } catch {
            return await refusal(service.failure(of: error, at: "account"), customer, request)
        }
    }

    /// Carries out an answer, and returns a sentence about it; `nil` when only
    /// the list was asked for.
    private func carryOut(_ form: CustomerForm, of account: Account, _ words: SubscriptionWords) async throws -> String?
    {
        let original = OriginalTransactionIdentifier(form.subscription ?? "")
        if let product = form.product.map({ ProductIdentifier($0) }) {
            let asked = try await service.choose(
                product, of: original, account: account, shown: form.agreed(to: .product(product)))
            return asked == nil ? words.planChanged : words.asked
        }
        switch form.decision {
        case "renewal-on", "renewal-off":
            let isOn = form.decision == "renewal-on"
            let asked = try await service.setRenewal(
                isOn, of: original, account: account, shown: form.agreed(to: .renewal))
            return asked != nil ? words.asked : isOn ? words.turnedOn : words.turnedOff
        case "sharing-on", "sharing-off":
            let isShared = form.decision == "sharing-on"
            try await service.setSharing(isShared, of: original, account: account)
            return isShared ? words.shared : words.unshared
        case "agree", "disagree":
            let agrees = form.decision == "agree"
            let asked = try await service.answerPriceIncrease(
                agrees, of: original, account: account, shown: form.agreed(to: .agreement))
            return asked != nil ? words.asked : agrees ? words.agreed : words.disagreed
        case "show": return nil
        default:
            throw StoreFailure(
                .invalid,
                """
                decision is show, renewal-on, renewal-off, sharing-on, sharing-off, agree, disagree or sign-out; \
                product is a plan.
                """)
        }
    }

    /// The page again with the failure: the list for a customer whose password
    /// or session was checked, otherwise the sign-in.
    private func refusal(_ failure: StoreFailure, _ customer: PageCustomer, _ request: Request) async -> Response {
        var model = signInModel(customer.typed, customer.language)
        if failure.code != .crossSite, let account = customer.account,
            let list = try? await self.model(of: account, request, cookie: customer.cookie)
        {
            model = list
        }
        model.message = PageMessage(failure, in: model.page.language)
        return pages.subscriptions(model, failure: failure, cookie: customer.cookie, request: request)
    }

    private func signInModel(_ form: CustomerForm?, _ language: PageLanguage) -> SubscriptionsModel {
        SubscriptionsModel(language, environment: service.environment.rawValue, account: nil, typed: form?.email)
    }

    /// The values of the page. `cookie` is a session that the response opens.
    private func model(
        of account: Account?, _ request: Request, cookie: String? = nil
    ) async throws -> SubscriptionsModel {
        let language = PageLanguage(request, of: account)
        guard let account else { return signInModel(nil, language) }
        var model = SubscriptionsModel(language, environment: service.environment.rawValue, account: account)
        let isInSession = await authentication.session(request)?.identifier == account.identifier
        model.hasSession = cookie != nil || isInSession
        let asksForPassword = !model.hasSession
        model.subscriptions = try await service.managedSubscriptions(of: account).map {
            SubscriptionModel(
                $0, of: account, asksForPassword: asksForPassword, languages: request.languages(of: account),
                in: language)
        }
        return model
    }
}
