// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The page on which parents answer the requests to buy of their family
/// (`/account/family`), and on which its organiser begins it and adds members.
///
/// An approval needs the password each time, because it charges the parent and
/// a child may use the same browser; so does a change of the family. A new
/// member types the password of the own account. To look and to decline, the
/// session cookie is enough.
struct FamilyRoutes {
    let service: StoreService
    let limits: RequestLimits
    let pages: FamilyPages
    let authentication: CustomerAuthentication

    func add(to router: StoreRouter) {
        router.get("/account/family") { request, _ in await show(request) }
        router.post("/account/family") { request, context in await answer(request, from: context.clientAddress) }
    }

    private func show(_ request: Request) async -> Response {
        let account = await authentication.session(request)
        do {
            if account == nil, request.wantsJSON { throw StoreFailure(.wrongPassword, "Sign in first.") }
            return pages.family(try await model(of: account, request), request: request)
        } catch {
            return pages.common.failure(
                service.failure(of: error, at: "family"), in: PageLanguage(request, of: account), request: request)
        }
    }

    private func answer(_ request: Request, from address: String?) async -> Response {
        var customer = PageCustomer(request, from: address)
        do {
            let form = try await authentication.form(&customer, request)
            if form.decision == "sign-out" {
                try await authentication.signOut(request)
                return pages.family(signInModel(customer.language, form), isSignedOut: true, request: request)
            }
            let account = try await authentication.account(form, sheet: nil, &customer, request)
            customer.language = PageLanguage(request, of: account)
            let notice = try await carryOut(form, of: account, from: address, FamilyText(customer.language))
            var model = try await model(of: account, request, cookie: customer.cookie)
            model.notice = notice
            return pages.family(model, cookie: customer.cookie, request: request)
        } catch {
            return await refusal(service.failure(of: error, at: "family"), customer, request)
        }
    }

    /// Carries out an answer, and returns a sentence about it; `nil` when only
    /// the list was asked for.
    private func carryOut(
        _ form: CustomerForm, of account: Account, from address: String?, _ text: FamilyText
    ) async throws -> PageMessage? {
        let transaction = TransactionIdentifier(form.request ?? "")
        switch form.decision {
        case "approve":
            try requirePassword(form, "Type your password to approve: it pays for the purchase.")
            let request = try await service.approve(transaction, by: account, shown: try form.agreedInFull())
            return text.approved(request)
        case "decline":
            try await service.decline(transaction, by: account)
            return PageMessage(text: text.words.declined)
        case "begin":
            try requirePassword(form, "Type your password to begin a family.")
            try await service.beginFamily(of: account)
            return PageMessage(text: text.words.begun)
        case "add":
            try requirePassword(form, "Type your password to add a member.")
            try await add(form, to: account, from: address)
            return PageMessage(text: text.words.added)
        case "show": return nil
        default: throw StoreFailure(.invalid, "decision is show, approve, decline, begin, add or sign-out.")
        }
    }

    private func requirePassword(_ form: CustomerForm, _ sentence: String) throws {
        guard form.password?.isEmpty == false else { throw StoreFailure(.wrongPassword, sentence) }
    }

    /// Adds a member whose password is right. Wrong ones count as at a sign-in.
    private func add(_ form: CustomerForm, to organiser: Account, from address: String?) async throws {
        let role = FamilyMember.Role(rawValue: form.role ?? "")
        guard [.parent, .adult, .child].contains(role) else {
            throw StoreFailure(.invalid, "role is parent, adult or child.")
        }
        try limits.wrongPasswords.check(address, now: service.clock.now(), "wrong passwords")
        do {
            let member = try await service.signIn(
                email: form.member ?? "", password: form.memberPassword ?? "", from: address)
            try await service.addFamilyMember(member, as: role, organiser: organiser)
        } catch let error as DomainError where error.code == .wrongPassword {
            if let address { _ = limits.wrongPasswords.take(address, now: service.clock.now()) }
            throw error
        }
    }

    /// The page again with the failure: the list for a parent whose password or
    /// session was checked, otherwise the sign-in.
    private func refusal(_ failure: StoreFailure, _ customer: PageCustomer, _ request: Request) async -> Response {
        let language = customer.account.map { PageLanguage(request, of: $0) } ?? customer.language
        var model = signInModel(language, customer.typed)
        if failure.code != .crossSite, let account = customer.account,
            let list = try? await self.model(of: account, request, cookie: customer.cookie)
        {
            model = list
            model.member = customer.typed?.member ?? ""
        }
        model.message = PageMessage(failure, in: language)
        return pages.family(model, failure: failure, cookie: customer.cookie, request: request)
    }

    private func signInModel(_ language: PageLanguage, _ form: CustomerForm?) -> FamilyModel {
        FamilyModel(language, environment: service.environment.rawValue, account: nil, typed: form?.email)
    }

    /// The values of the page. `cookie` is a session that the response opens.
    private func model(of account: Account?, _ request: Request, cookie: String? = nil) async throws -> FamilyModel {
        guard let account else { return signInModel(PageLanguage(request), nil) }
        var model = FamilyModel(
            PageLanguage(request, of: account), environment: service.environment.rawValue, account: account)
        let isInSession = await authentication.session(request)?.identifier == account.identifier
        model.hasSession = cookie != nil || isInSession
        let page = try await service.childRequests(for: account)
        model.show(page, of: account, languages: request.languages(of: account))
        return model
    }
}
