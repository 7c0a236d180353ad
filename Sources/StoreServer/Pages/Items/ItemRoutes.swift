// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// The public pages of apps and other media (`/app`, `/item`), their images, and
/// the orders and redemptions of signed-in customers.
///
/// An address without a storefront and a language leads to the visitor's own.
/// That answer is of one visitor, and the page behind it is the same for all. An
/// address with the promotions of a device is no public page, and no cache keeps
/// it.
struct ItemRoutes {
    let service: StoreService
    let limits: RequestLimits
    let pages: ItemPages
    let authentication: CustomerAuthentication

    func add(to router: StoreRouter) {
        router.get("/app/:item") { request, context in await visit(request, context) }
        router.get("/item/:item") { request, context in await visit(request, context) }
        router.get("/app/:item/:storefront/:language") { request, context in
            await show(request, context, in: "app")
        }
        router.get("/item/:item/:storefront/:language") { request, context in
            await show(request, context, in: "item")
        }
        router.get("/item/:item/buy") { request, context in await visit(request, context) }
        router.post("/item/:item/buy") { request, context in await order(request, context) }
        router.get("/item/:item/redeem") { request, context in await visit(request, context) }
        router.post("/item/:item/redeem") { request, context in await order(request, context, redeems: true) }
        router.get("/artwork/:item/:digest") { request, context in
            await answer(request) {
                let digest = try context.parameters.require("digest")
                let artwork = try await service.artwork(digest, of: try identifier(context))
                return .image(artwork.bytes, type: artwork.type)
            }
        }
    }

    private func answer(_ request: Request, _ body: () async throws -> Response) async -> Response {
        do {
            return try await body()
        } catch {
            return pages.common.failure(service.failure(of: error, at: "item"), request: request)
        }
    }

    private func identifier(_ context: StoreRequestContext) throws -> Int64 {
        let text = try context.parameters.require("item")
        guard let identifier = ItemAddress.identifier(text) else {
            throw DomainError(.notFound, "There is no item \"\(text.prefix(20))\".")
        }
        return identifier
    }

    private var cookie: ClickCookie { ClickCookie(isSecure: authentication.sessionsAreSafe) }

    /// Sends a visitor to a page, and saves the tokens of the link in the
    /// browser. Without it each click would need a page of its own, which no
    /// cache could keep.
    private func visit(_ address: ItemAddress, _ query: ItemQuery) -> Response {
        var response = Response.visit(address.path + query.text)
        if !query.tokens.isEmpty { cookie.set(query.tokens, on: &response, now: service.clock.now()) }
        return response
    }

    /// Sends a visitor to the page of the visitor's storefront and language.
    private func visit(_ request: Request, _ context: StoreRequestContext) async -> Response {
        await answer(request) {
            let item = try await service.item(try identifier(context))
            let account = await authentication.session(request)
            let address = ItemAddress(
                item: item.identifier, isApp: item.kind == .app,
                storefront: ItemAddress.storefront(of: account, languages: request.acceptedLanguages),
                language: PageLanguage(request, of: account))
            return visit(address, ItemQuery(request))
        }
    }

    private func show(_ request: Request, _ context: StoreRequestContext, in folder: String) async -> Response {
        await answer(request) {
            let (country, code) = (
                try context.parameters.require("storefront"), try context.parameters.require("language")
            )
            guard let storefront = Storefront.named(country), let language = PageLanguage(rawValue: code) else {
                throw DomainError(.notFound, "There is no page for this country and language.")
            }
            let query = ItemQuery(request)
            let page = try await service.itemPage(try identifier(context), in: storefront, query.promotions)
            let address = ItemAddress(
                item: page.item.identifier, isApp: page.item.kind == .app, storefront: storefront,
                language: language)
            guard folder == page.item.folder, query.tokens.isEmpty else { return visit(address, query) }
            return pages.item(
                ItemModel(page, at: address, environment: service.environment), isPublic: query.isPublic)
        }
    }

    /// Orders an item for the customer of a form, or begins the redemption of a
    /// code, and shows the sheet.
    private func order(
        _ request: Request, _ context: StoreRequestContext, redeems: Bool = false
    ) async -> Response {
        var customer = PageCustomer(request, from: context.clientAddress)
        do {
            let item = try await service.item(try identifier(context))
            let form = try await authentication.form(&customer, request)
            let account = try await authentication.account(form, sheet: nil, &customer, request)
            customer.language = PageLanguage(request, of: account)
            var response: Response
            if try await service.owns(item, account) {
                response = pages.owned(item, in: customer.language)
            } else if redeems {
                let redemption = try await service.redemption(item: item.identifier, for: account)
                response = try page(of: redemption, in: customer.language)
            } else {
                let tokens = cookie.tokens(of: request, now: service.clock.now())
                let ordered = try await service.order(item: item.identifier, for: account, tokens: tokens)
                response = try page(of: ordered, in: customer.language)
            }
            if let cookie = customer.cookie { response.setSession(cookie) }
            return response
        } catch {
            let failure = service.failure(of: error, at: "item")
            guard [.wrongPassword, .throttled].contains(failure.code), !request.wantsJSON else {
                return pages.common.failure(failure, in: customer.language, request: request)
            }
            // The button of the public page sends no password.
            let hasTyped = customer.typed?.password?.nonEmpty != nil || failure.code == .throttled
            return signIn(customer, hasTyped ? failure : nil)
        }
    }

    /// The sheet of an order, or its result.
    private func page(of order: OrderingItem.Order, in language: PageLanguage) throws -> Response {
        switch order {
        case .sheet(let token): return .visit("/sheet/\(token)", status: .seeOther)
        case .waits: return pages.asked(in: language)
        case .refused(let failure):
            throw StoreFailure(.invalid, failure.message, reason: CustomerRefusal(failure.code))
        }
    }

    private func signIn(_ customer: PageCustomer, _ failure: StoreFailure?) -> Response {
        let model = SignInModel(
            customer.language, at: .purchases, environment: service.environment, email: customer.typed?.email,
            failure: failure)
        return pages.signIn(model, failure: failure)
    }
}
