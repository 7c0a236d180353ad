// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// The pages of Connect for signed-in users. ``ConnectEntryRoutes`` has those
/// before the sign-in.
///
/// A user who is signed out gets the sign-in with the status 403, and returns
/// to the page behind it. A page that the user's role doesn't include answers
/// 403, and an object of another team 404. A use case checks the role again in
/// the transaction of its change.
struct ConnectRoutes {
    let service: StoreService
    let pages: ConsolePages
    let authentication: ConnectAuthentication
    let entry: ConnectEntryRoutes

    func add(to router: StoreRouter) {
        router.get("/connect") { request, _ in await visit(request) }
        router.onOtherMethods("/connect", allowed: .get)
        router.get("/connect/users") { request, _ in await show(UsersPage(), request) }
        router.post("/connect/users") { request, context in
            await answer(UsersPage(), request, from: context.clientAddress)
        }
        router.get("/connect/users/:user") { request, context in
            await show(try Self.userPage(context), request)
        }
        router.post("/connect/users/:user") { request, context in
            await answer(try Self.userPage(context), request, from: context.clientAddress)
        }
        router.get("/connect/keys") { request, _ in await show(KeysPage(), request) }
        router.post("/connect/keys") { request, context in
            await answer(KeysPage(), request, from: context.clientAddress)
        }
        router.get("/connect/roles") { request, _ in await show(RolesPage(), request) }
        router.onOtherMethods("/connect/roles", allowed: .get)
        router.get("/connect/log") { request, _ in await show(LogPage(), request) }
        router.onOtherMethods("/connect/log", allowed: .get)
        router.get("/connect/account") { request, _ in await show(OwnPage(), request) }
        router.post("/connect/account") { request, context in
            await answer(OwnPage(), request, from: context.clientAddress)
        }
        addApps(to: router)
        addImages(to: router)
        addAgreements(to: router)
        addFiles(to: router)
        addServers(to: router)
        addOffers(to: router)
        addTransactions(to: router)
        addTesters(to: router)
        addLive(to: router)
        addChecklist(to: router)
        for path in ["users", "users/:user", "keys", "account"] {
            router.onOtherMethods("/connect/\(path)", allowed: .get, .post)
        }
    }

    private func addApps(to router: StoreRouter) {
        router.get("/connect/apps") { request, _ in await show(AppsPage(), request) }
        router.post("/connect/apps") { request, context in
            await answer(AppsPage(), request, from: context.clientAddress)
        }
        router.get("/connect/apps/:app") { request, context in await show(try Self.appPage(context), request) }
        router.post("/connect/apps/:app") { request, context in
            await answer(try Self.appPage(context), request, from: context.clientAddress)
        }
        router.get("/connect/apps/:app/new-product") { request, context in
            await show(NewProductPage(app: try Self.app(context)), request)
        }
        router.post("/connect/apps/:app/new-product") { request, context in
            await answer(NewProductPage(app: try Self.app(context)), request, from: context.clientAddress)
        }
        router.get("/connect/apps/:app/products/:product") { request, context in
            await show(try Self.productPage(context), request)
        }
        router.post("/connect/apps/:app/products/:product") { request, context in
            await answer(try Self.productPage(context), request, from: context.clientAddress)
        }
        for path in ["apps", "apps/:app", "apps/:app/new-product", "apps/:app/products/:product"] {
            router.onOtherMethods("/connect/\(path)", allowed: .get, .post)
        }
    }

    static func app(_ context: StoreRequestContext) throws -> BundleIdentifier {
        BundleIdentifier(try context.parameters.require("app"))
    }

    private static func appPage(_ context: StoreRequestContext) throws -> AppPage {
        AppPage(app: try app(context))
    }

    private static func productPage(_ context: StoreRequestContext) throws -> ProductPage {
        ProductPage(app: try app(context), product: ProductIdentifier(try context.parameters.require("product")))
    }

    private static func userPage(_ context: StoreRequestContext) throws -> UserPage {
        UserPage(identifier: TeamUserIdentifier(try context.parameters.require("user")))
    }

    /// Sends a user to the first page of the navigation.
    private func visit(_ request: Request) async -> Response {
        do {
            guard try await authentication.signedIn(request) != nil else {
                return try await entry.signIn(request, failure: nil, returningTo: "/connect")
            }
            return .visit(ConnectPlace.apps.rawValue)
        } catch {
            return failed(error, PageLanguage(request), request)
        }
    }

    func show<Page: ConnectPage>(_ page: Page, _ request: Request) async -> Response {
        do {
            guard let visit = try await visit(of: request) else {
                return try await entry.signIn(
                    request, failure: StoreFailure(.forbidden, "Sign in first.", reason: .signedOut),
                    returningTo: request.uri.string)
            }
            if let action = Page.action { try visit.user.require(action) }
            var model = try await page.model(visit)
            model.notice = visit.query["done"].flatMap { ConnectNotice.sentence($0, in: visit.language) }
            return pages.page(model)
        } catch {
            return failed(error, PageLanguage(request), request)
        }
    }

    func answer<Page: ConnectPage>(
        _ page: Page, _ request: Request, from address: String?
    ) async -> Response {
        do {
            let form = try await authentication.form(request, from: address, upTo: Page.formLimit)
            guard var visit = try await visit(of: request) else {
                return try await entry.signIn(
                    request, failure: StoreFailure(.forbidden, "Sign in first.", reason: .signedOut),
                    returningTo: request.uri.path)
            }
            if let action = Page.action { try visit.user.require(action) }
            do {
                return try await response(to: try await page.carryOut(form, visit), request)
            } catch {
                visit.typed = form.withoutPasswords
                return try await refusal(error, page, visit)
            }
        } catch {
            return failed(error, PageLanguage(request), request)
        }
    }

    private func response(to outcome: ConnectOutcome, _ request: Request) async throws -> Response {
        switch outcome {
        case .visit(let path): return .visit(path, status: .seeOther)
        case .page(let model): return pages.page(model)
        case .signedInAgain(let user, let path):
            var response = Response.visit(path, status: .seeOther)
            authentication.set(try await authentication.open(for: user, request), on: &response)
            return response
        }
    }

    /// The page again, with the typed values and their problems.
    private func refusal(_ error: any Error, _ page: some ConnectPage, _ visit: ConnectVisit) async throws -> Response {
        let failure = service.failure(of: error, at: "connect")
        guard [.invalid, .changed, .throttled, .unavailable].contains(failure.code) else { throw error }
        var visit = visit
        // A change of another user is shown by the present values.
        visit.isChanged = failure.code == .changed
        if visit.isChanged, !type(of: page).showsBoth { visit.typed = ConnectForm() }
        if let invalid = error as? InvalidFields { visit.problems = invalid.problems }
        var model = try await page.model(visit)
        model.message =
            error is InvalidFields
            ? PageMessage(text: FieldWords.words(visit.language).several)
            : visit.isChanged && type(of: page).showsBoth
                ? PageMessage(text: ConsoleWords.words(visit.language).changedMeanwhile)
                : PageMessage(failure, in: visit.language)
        return pages.page(model, failure: failure)
    }

    func visit(of request: Request) async throws -> ConnectVisit? {
        guard let signedIn = try await authentication.signedIn(request) else { return nil }
        return ConnectVisit(
            service: service, language: PageLanguage(request), user: signedIn.user, team: signedIn.team,
            session: signedIn.session, query: request.queryValues)
    }

    func failed(_ error: any Error, _ language: PageLanguage, _ request: Request) -> Response {
        pages.common.failure(service.failure(of: error, at: "connect"), in: language, request: request)
    }
}

extension Request {
    /// The parameters of the address, in which a browser's form writes `+` for
    /// a space; of several with a name, the first.
    var queryValues: [String: String] {
        if let form = try? URLEncodedFormDecoder().decode([String: String].self, from: uri.query ?? "") { return form }
        return Dictionary(
            uri.queryParameters.map { (String($0.key), String($0.value)) }, uniquingKeysWith: { first, _ in first })
    }
}

extension String {
    /// The text as a value of an address's query (RFC 3986, section 2.3).
    var encodedForQuery: String {
        utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
