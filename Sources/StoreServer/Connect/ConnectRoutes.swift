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
        add("users", to: router) { _ in UsersPage() }
        add("users/:user", to: router) { UserPage(identifier: TeamUserIdentifier(try $0.part("user"))) }
        add("keys", to: router) { _ in KeysPage() }
        add("account", to: router) { _ in OwnPage() }
        addWithoutForms("roles", to: router) { _ in RolesPage() }
        addWithoutForms("log", to: router) { _ in LogPage() }
        addApps(to: router)
        addImages(to: router)
        addContent(to: router)
        addItems(to: router)
        addReviews(to: router)
        addAgreements(to: router)
        addFiles(to: router)
        addServers(to: router)
        addOffers(to: router)
        addTransactions(to: router)
        addTesters(to: router)
        addLive(to: router)
    }

    private func addApps(to router: StoreRouter) {
        add("apps", to: router) { _ in AppsPage() }
        add("apps/:app", to: router) { AppPage(app: try Self.app($0)) }
        add("apps/:app/new-product", to: router) { NewProductPage(app: try Self.app($0)) }
        add("apps/:app/products/:product", to: router) {
            ProductPage(app: try Self.app($0), product: try Self.product($0))
        }
        addWithoutForms("apps/:app/checklist", to: router) { ChecklistPage(app: try Self.app($0)) }
        addWithoutForms("apps/:app/contacts", to: router) { ContactsPage(app: try Self.app($0)) }
        addDownload("apps/:app/contacts/download", to: router) { context, query in
            ContactsDownload(app: try Self.app(context), after: try query["after"].map(ContactsPage.place))
        }
    }

    /// Adds a page with forms at a path behind `/connect/`.
    func add<Page: ConnectPage>(
        _ path: String, to router: StoreRouter, _ page: @escaping @Sendable (StoreRequestContext) throws -> Page
    ) {
        router.get("/connect/\(path)") { request, context in await show(try page(context), request) }
        router.post("/connect/\(path)") { request, context in
            await answer(try page(context), request, from: context.clientAddress)
        }
    }

    /// Adds a page without forms at a path behind `/connect/`.
    func addWithoutForms<Page: ConnectPage>(
        _ path: String, to router: StoreRouter, _ page: @escaping @Sendable (StoreRequestContext) throws -> Page
    ) {
        addAnswer(path, to: router) { request, context in await show(try page(context), request) }
    }

    /// Adds the answer to `GET` at a path behind `/connect/`.
    func addAnswer(
        _ path: String, to router: StoreRouter,
        _ answer: @escaping @Sendable (Request, StoreRequestContext) async throws -> Response
    ) {
        router.get("/connect/\(path)") { request, context in try await answer(request, context) }
    }

    static func app(_ context: StoreRequestContext) throws -> BundleIdentifier {
        BundleIdentifier(try context.part("app"))
    }

    static func product(_ context: StoreRequestContext) throws -> ProductIdentifier {
        ProductIdentifier(try context.part("product"))
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
        await signedIn(request, places: Page.places) { visit in
            if let action = Page.action { try visit.user.require(action) }
            var model = try await page.model(visit)
            model.notice = visit.query["done"].flatMap { ConnectNotice.sentence($0, in: visit.language) }
            return pages.page(model)
        }
    }

    func answer<Page: ConnectPage>(
        _ page: Page, _ request: Request, from address: String?
    ) async -> Response {
        do {
            let form = try await authentication.form(request, from: address, upTo: Page.formLimit)
            return await signedIn(request, returningTo: request.uri.path, places: Page.formPlaces) { visit in
                if let action = Page.action { try visit.user.require(action) }
                do {
                    return try await response(to: try await page.carryOut(form, visit), request)
                } catch {
                    var visit = visit
                    visit.typed = form.withoutPasswords
                    return try await refusal(error, page, visit)
                }
            }
        } catch {
            return failed(error, PageLanguage(request), request)
        }
    }

    /// Answers a signed-in user; a user who is signed out gets the sign-in,
    /// which returns to `path`, or to the address of the request.
    func signedIn(
        _ request: Request, returningTo path: String? = nil,
        places: KeyPath<RequestLimits, TeamPlaces>? = \.connectPlaces,
        _ answer: (ConnectVisit) async throws -> Response
    ) async -> Response {
        do {
            guard let visit = try await visit(of: request) else {
                return try await entry.signIn(
                    request, failure: StoreFailure(.forbidden, "Sign in first.", reason: .signedOut),
                    returningTo: path ?? request.uri.string)
            }
            guard let places else { return try await answer(visit) }
            return try await authentication.limits[keyPath: places].withPlace(of: visit.user) {
                try await answer(visit)
            }
        } catch {
            return failed(error, PageLanguage(request), request)
        }
    }

    func response(to outcome: ConnectOutcome, _ request: Request) async throws -> Response {
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
    func refusal(_ error: any Error, _ page: some ConnectPage, _ visit: ConnectVisit) async throws -> Response {
        let failure = service.failure(of: error, at: "connect")
        guard [.invalid, .changed, .throttled, .unavailable].contains(failure.code) else { throw error }
        var visit = visit
        // A change of another user is shown by the present values.
        visit.isChanged = failure.code == .changed
        if visit.isChanged, !type(of: page).showsBoth { visit.typed = ConnectForm() }
        if let invalid = error as? InvalidFields {
            visit.problems = invalid.problems.map { problem in
                var problem = problem
                problem.field = visit.typed.name(of: problem.field)
                return problem
            }
        }
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
