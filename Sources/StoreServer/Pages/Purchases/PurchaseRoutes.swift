// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The pages of a customer's purchases: the list, a receipt, a problem that is
/// reported.
///
/// A page needs the password, or the session cookie of a browser in which it
/// was typed lately. A page of another origin can't send a form.
struct PurchaseRoutes {
    let service: StoreService
    let limits: RequestLimits
    let pages: PurchasePages
    let authentication: CustomerAuthentication

    /// Makes the page for a signed-in customer from the sent form; `nil` when
    /// the page was only opened.
    private typealias Page = @Sendable (PageReader, CustomerForm?) async throws -> Response

    func add(to router: StoreRouter) {
        router.get("/account/purchases") { request, _ in await show(request) { try await list($0, $1, request) } }
        router.post("/account/purchases") { request, context in
            await answer(request, from: context.clientAddress) { try await list($0, $1, request) }
        }
        router.get("/account/purchases/:transaction") { request, context in
            let transaction = TransactionIdentifier(try context.parameters.require("transaction"))
            return await show(request) { reader, _ in try await receipt(transaction, reader, request) }
        }
        router.post("/account/purchases/:transaction") { request, context in
            let transaction = TransactionIdentifier(try context.parameters.require("transaction"))
            return await answer(request, from: context.clientAddress) { reader, _ in
                try await receipt(transaction, reader, request)
            }
        }
        router.get("/account/purchases/:transaction/problem") { request, context in
            let transaction = TransactionIdentifier(try context.parameters.require("transaction"))
            return await show(request) { try await problem(transaction, $0, $1, request) }
        }
        router.post("/account/purchases/:transaction/problem") { request, context in
            let transaction = TransactionIdentifier(try context.parameters.require("transaction"))
            return await answer(request, from: context.clientAddress) {
                try await problem(transaction, $0, $1, request)
            }
        }
    }

    private func show(_ request: Request, _ page: Page) async -> Response {
        guard let account = await authentication.session(request) else {
            return signIn(request, PageLanguage(request), form: nil, failure: nil)
        }
        let reader = PageReader(
            account: account, language: PageLanguage(request, of: account), languages: request.languages(of: account),
            hasSession: true)
        do {
            return try await page(reader, nil)
        } catch {
            return pages.common.failure(
                service.failure(of: error, at: "account/purchases"), in: reader.language, request: request)
        }
    }

    private func answer(_ request: Request, from address: String?, _ page: Page) async -> Response {
        var customer = PageCustomer(request, from: address)
        do {
            let form = try await authentication.form(&customer, request)
            let account = try await authentication.account(form, sheet: nil, &customer, request)
            let session = await authentication.session(request)
            let reader = PageReader(
                account: account, language: PageLanguage(request, of: account),
                languages: request.languages(of: account),
                hasSession: customer.cookie != nil || session?.identifier == account.identifier)
            customer.language = reader.language
            var response = try await page(reader, form)
            if let cookie = customer.cookie { response.setSession(cookie) }
            return response
        } catch {
            let failure = service.failure(of: error, at: "account/purchases")
            guard [.wrongPassword, .throttled].contains(failure.code), !request.wantsJSON else {
                return pages.common.failure(failure, in: customer.language, request: request)
            }
            return signIn(request, customer.language, form: customer.typed, failure: failure)
        }
    }

    private func signIn(
        _ request: Request, _ language: PageLanguage, form: CustomerForm?, failure: StoreFailure?
    ) -> Response {
        if request.wantsJSON {
            return (failure ?? StoreFailure(.wrongPassword, "Sign in first.")).response()
        }
        return pages.signIn(
            SignInModel(
                language, at: .purchases, environment: service.environment, email: form?.email, failure: failure),
            failure: failure)
    }

    private func list(_ reader: PageReader, _ form: CustomerForm?, _ request: Request) async throws -> Response {
        let before = form?.before?.nonEmpty ?? request.uri.queryParameters["before"].map(String.init)?.nonEmpty
        let history = try await service.history(of: reader.account, before: before.map { TransactionIdentifier($0) })
        if request.wantsJSON { return .json(PurchasesAnswer(history)) }
        return pages.list(
            PurchasesModel(reader, history, environment: service.environment, isOlder: before != nil))
    }

    private func receipt(
        _ transaction: TransactionIdentifier, _ reader: PageReader, _ request: Request
    ) async throws -> Response {
        let entry = try await service.historyEntry(transaction, of: reader.account)
        if request.wantsJSON { return .json(PurchasesAnswer.Listed(entry)) }
        return pages.receipt(PurchaseModel(reader, entry, environment: service.environment, isProblem: false))
    }

    private func problem(
        _ transaction: TransactionIdentifier, _ reader: PageReader, _ form: CustomerForm?, _ request: Request
    ) async throws -> Response {
        var failure: StoreFailure?
        if let form, form.decision == "ask" {
            do {
                guard let reason = form.reason.flatMap(RefundRequest.Reason.init(rawValue:)) else {
                    let reasons = RefundRequest.Reason.allCases.map(\.rawValue).joined(separator: ", ")
                    throw StoreFailure(.invalid, "reason is one of \(reasons).")
                }
                try await service.askForRefund(
                    transaction, of: reader.account, because: reason, comment: form.comment)
            } catch {
                failure = service.failure(of: error, at: "account/purchases")
            }
        }
        if request.wantsJSON, let failure { return failure.response() }
        let entry = try await service.historyEntry(transaction, of: reader.account)
        if request.wantsJSON { return .json(PurchasesAnswer.Listed(entry)) }
        var model = PurchaseModel(reader, entry, environment: service.environment, isProblem: true)
        model.message = failure.map { PageMessage($0, in: reader.language) }
        model.comment = failure == nil ? "" : form?.comment ?? ""
        return pages.problem(model, failure: failure)
    }
}
