// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The page on which customers order a link to a new password, and the pages
/// of the links that the store sends.
///
/// A page of a link changes nothing before its form is sent: programs that
/// look at messages open the links in them.
struct LinkRoutes {
    let service: StoreService
    let limits: RequestLimits
    let pages: LinkPages

    func add(to router: StoreRouter) {
        router.get("/account/forgotten") { request, _ in await show(request) { forgotten(request) } }
        router.post("/account/forgotten") { request, context in
            await answer(request, from: context.clientAddress, again: { forgotten(request) }) { form in
                try limits.messages.count(context.clientAddress, now: service.clock.now(), "messages")
                try await service.orderPasswordLink(to: form.email ?? "")
                return (\.sentTitle, \.sent)
            }
        }
        router.get("/account/reset/:token") { request, context in
            let token = try context.parameters.require("token")
            return await show(request) { try await reset(token, request) }
        }
        router.post("/account/reset/:token") { request, context in
            let token = try context.parameters.require("token")
            return await answer(
                request, from: context.clientAddress, again: { try await reset(token, request) },
                { form in
                    try await service.resetPassword(
                        by: token, to: form.newPassword ?? "", from: context.clientAddress)
                    return (\.passwordTitle, \.passwordSet)
                })
        }
        router.get("/account/email/:token") { request, context in
            let token = try context.parameters.require("token")
            return await show(request) { try await address(token, request) }
        }
        router.post("/account/email/:token") { request, context in
            let token = try context.parameters.require("token")
            return await answer(
                request, from: context.clientAddress, again: { try await address(token, request) },
                { _ in
                    try await service.changeAddress(by: token)
                    return (\.confirmedTitle, \.confirmed)
                })
        }
    }

    /// The title and the message of the page after an answer.
    private typealias Result = (title: KeyPath<LinkWords, String>, message: KeyPath<LinkWords, String>)

    private func show(_ request: Request, _ model: () async throws -> LinkModel) async -> Response {
        do {
            let model = try await model()
            return request.wantsJSON ? .json(EmptyAnswer()) : pages.link(model)
        } catch {
            return failed(service.failure(of: error, at: "account"), request)
        }
    }

    /// Carries out an answer. After a value that can be typed again, the page
    /// is shown again.
    private func answer(
        _ request: Request, from address: String?, again: () async throws -> LinkModel,
        _ carryOut: (CustomerForm) async throws -> Result
    ) async -> Response {
        do {
            try request.refuseOtherOrigins(of: service.publicURL)
            let result = try await carryOut(try await limits.form(of: request, from: address))
            if request.wantsJSON { return .json(["outcome": "accepted"]) }
            let words = LinkWords.words(PageLanguage(request))
            return pages.common.result(
                ResultModel(
                    PageLanguage(request), title: words[keyPath: result.title], message: words[keyPath: result.message],
                    isGood: true))
        } catch {
            let failure = service.failure(of: error, at: "account")
            guard failure.code == .invalid, !request.wantsJSON, var model = try? await again() else {
                return failed(failure, request)
            }
            model.message = PageMessage(failure, in: model.page.language)
            return pages.link(model, failure: failure)
        }
    }

    /// The page of a failure; of a link that can't be used, one that says what
    /// to do.
    private func failed(_ failure: StoreFailure, _ request: Request) -> Response {
        guard failure.code == .notFound, service.sendsMail, !request.wantsJSON else {
            return pages.common.failure(failure, request: request)
        }
        let words = LinkWords.words(PageLanguage(request))
        return pages.common.result(
            ResultModel(PageLanguage(request), title: words.uselessTitle, message: words.useless, isGood: false),
            status: failure.status)
    }

    private func forgotten(_ request: Request) -> LinkModel {
        let language = PageLanguage(request)
        let words = LinkWords.words(language)
        return LinkModel(
            language, title: words.forgotten, of: service,
            SettingsForm(
                fields: [.init(name: "email", title: words.email, type: "email", autocomplete: "username")],
                buttons: [.init(decision: "send", title: words.send, isPrimary: true)]))
    }

    private func reset(_ token: String, _ request: Request) async throws -> LinkModel {
        let language = PageLanguage(request, of: try await service.checkPasswordLink(token))
        let words = LinkWords.words(language)
        return LinkModel(
            language, title: words.newPassword, of: service,
            SettingsForm(
                fields: [
                    .init(name: "newPassword", title: words.newPassword, type: "password", autocomplete: "new-password")
                ],
                buttons: [.init(decision: "set", title: words.setPassword, isPrimary: true)]))
    }

    private func address(_ token: String, _ request: Request) async throws -> LinkModel {
        let (account, email) = try await service.checkAddressLink(token)
        let language = PageLanguage(request, of: account)
        let words = LinkWords.words(language)
        var model = LinkModel(
            language, title: words.confirmTitle, of: service,
            SettingsForm(buttons: [.init(decision: "confirm", title: words.confirm, isPrimary: true)]))
        model.address = email
        return model
    }
}
