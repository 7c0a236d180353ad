// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The pages of Connect before the sign-in: the sign-in itself, a forgotten
/// password, and the one-time addresses of a set-up, an invitation and a new
/// password.
///
/// A page of an address changes nothing before its form is sent: programs that
/// look at messages open the links in them.
struct ConnectEntryRoutes {
    let service: StoreService
    let limits: RequestLimits
    let pages: ConsolePages
    let authentication: ConnectAuthentication

    func add(to router: StoreRouter) {
        router.get("/connect/sign-in") { request, _ in
            await show(request) { signInModel(request, ConnectForm(), returningTo: "/connect") }
        }
        router.post("/connect/sign-in") { request, context in await signIn(request, from: context.clientAddress) }
        router.post("/connect/sign-out") { request, context in await signOut(request, from: context.clientAddress) }
        router.get("/connect/forgotten") { request, _ in await show(request) { try forgotten(request) } }
        router.post("/connect/forgotten") { request, context in await order(request, from: context.clientAddress) }
        router.get("/connect/setup/:token") { request, context in await show(SetUpPage.self, request, context) }
        router.post("/connect/setup/:token") { request, context in await answer(SetUpPage.self, request, context) }
        router.get("/connect/invitation/:token") { request, context in
            await show(InvitationPage.self, request, context)
        }
        router.post("/connect/invitation/:token") { request, context in
            await answer(InvitationPage.self, request, context)
        }
        router.get("/connect/recovery/:token") { request, context in await show(RecoveryPage.self, request, context) }
        router.post("/connect/recovery/:token") { request, context in
            await answer(RecoveryPage.self, request, context)
        }
    }

    /// The sign-in in the place of a page, to which it returns. With a failure
    /// it has the failure's status.
    func signIn(_ request: Request, failure: StoreFailure?, returningTo path: String) async throws -> Response {
        try authentication.requireSafety()
        var model = signInModel(request, ConnectForm(), returningTo: path)
        model.message = failure.map { PageMessage($0, in: PageLanguage(request)) }
        return pages.page(model, failure: failure)
    }

    private func show(_ request: Request, _ model: () async throws -> ConsoleModel) async -> Response {
        do {
            try authentication.requireSafety()
            var model = try await model()
            model.notice = request.queryValues["done"].flatMap {
                ConnectNotice.sentence($0, in: PageLanguage(request))
            }
            return pages.page(model)
        } catch {
            return failed(error, request)
        }
    }

    private func signIn(_ request: Request, from address: String?) async -> Response {
        do {
            try authentication.requireSafety()
            let form = try await authentication.form(request, from: address)
            do {
                let opened = try await authentication.signIn(form, request, from: address)
                var response = Response.visit(Self.page(of: form["next"]), status: .seeOther)
                authentication.set(opened, on: &response)
                return response
            } catch {
                let failure = service.failure(of: error, at: "connect")
                guard [.wrongPassword, .throttled, .unavailable].contains(failure.code) else { throw error }
                var model = signInModel(request, form, returningTo: form["next"])
                model.message = PageMessage(failure, in: PageLanguage(request))
                return pages.page(model, failure: failure)
            }
        } catch {
            return failed(error, request)
        }
    }

    private func signOut(_ request: Request, from address: String?) async -> Response {
        do {
            _ = try await authentication.form(request, from: address)
            try await authentication.signOut(request)
            var response = Response.visit("/connect/sign-in?done=signed-out", status: .seeOther)
            authentication.endSession(on: &response)
            return response
        } catch {
            return failed(error, request)
        }
    }

    /// A page of Connect; the first page for any other text, which may lead
    /// elsewhere.
    static func page(of next: String) -> String {
        let isPage =
            next.hasPrefix("/connect/") && !next.hasPrefix("/connect/sign") && next.utf8.count <= 500
            && next.utf8.allSatisfy { (33..<127).contains($0) }
        return isPage ? next : "/connect"
    }

    private func signInModel(_ request: Request, _ form: ConnectForm, returningTo path: String) -> ConsoleModel {
        let language = PageLanguage(request)
        let words = JoinWords.words(language)
        return ConsoleModel(
            language, title: words.signIn, environment: service.environment,
            sections: [
                ConsoleSection(
                    forms: [
                        ConsoleForm(
                            action: "/connect/sign-in",
                            hidden: [.init(hiddenName: "next", hiddenValue: Self.page(of: path))],
                            fields: [
                                ConsoleField(
                                    "email", words.email, type: "email", value: form["email"],
                                    autocomplete: "username"),
                                ConsoleField(
                                    "password", words.password, type: "password", autocomplete: "current-password"),
                                ConsoleField(
                                    "code", words.code, autocomplete: "one-time-code", hint: words.codeHint,
                                    isRequired: false),
                            ],
                            buttons: [.init(decision: "sign-in", label: words.signIn, isPrimary: true)])
                    ],
                    links: service.sendsMail
                        ? [PageLink(address: "/connect/forgotten", name: words.forgotten, isHere: false)] : [])
            ])
    }

    private func forgotten(_ request: Request) throws -> ConsoleModel {
        guard service.sendsMail else {
            throw StoreFailure(.notFound, "This store sends no messages. Ask an admin of your team, or the operator.")
        }
        let language = PageLanguage(request)
        let words = JoinWords.words(language)
        return ConsoleModel(
            language, title: words.forgotten, environment: service.environment,
            sections: [
                ConsoleSection(
                    paragraphs: [words.forgottenNote],
                    forms: [
                        ConsoleForm(
                            fields: [
                                ConsoleField("email", words.email, type: "email", autocomplete: "username")
                            ],
                            buttons: [.init(decision: "send", label: words.send, isPrimary: true)])
                    ])
            ])
    }

    private func order(_ request: Request, from address: String?) async -> Response {
        do {
            try authentication.requireSafety()
            let form = try await authentication.form(request, from: address)
            let language = PageLanguage(request)
            try limits.messages.count(address, now: service.clock.now(), "messages")
            try await service.orderTeamRecovery(to: form["email"], language: language.rawValue)
            return pages.common.result(
                ResultModel(
                    language, title: JoinWords.words(language).forgotten, message: JoinWords.words(language).sent,
                    isGood: true))
        } catch {
            return failed(error, request)
        }
    }

    func failed(_ error: any Error, _ request: Request) -> Response {
        pages.common.failure(service.failure(of: error, at: "connect"), request: request)
    }
}
