// SPDX-License-Identifier: Apache-2.0

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
    let pages: AccountPages

    /// The texts of the pages.
    private enum Words {
        static let forgotten = "Forgotten password"
        static let email = "E-mail address of your account"
        static let send = "Send a link"
        static let sent = ResultModel(
            title: "Look for a message",
            message: "If the address has an account, a message with a link is on its way. The link is valid for one "
                + "hour.", isGood: true)
        static let reset = "New password"
        static let password = "New password"
        static let set = "Set the password"
        static let changed = ResultModel(
            title: "The password is changed", message: "All browsers are signed out. You can close this page.",
            isGood: true)
        static let address = "Confirm the address"
        static let confirm = "Use this address"
        static let confirmed = ResultModel(
            title: "The address is changed", message: "Sign in with the new address from now on.", isGood: true)
    }

    func add(to router: StoreRouter) {
        router.get("/account/forgotten") { request, _ in show(forgotten(), request) }
        router.post("/account/forgotten") { request, context in
            await answer(request, from: context.clientAddress, again: forgotten()) { form in
                try limits.messages.count(context.clientAddress, now: service.clock.now(), "messages")
                try await service.orderPasswordLink(to: form.email ?? "")
                return Words.sent
            }
        }
        router.get("/account/reset/:token") { request, context in
            let token = try context.parameters.require("token")
            return await show(request) {
                try await service.checkPasswordLink(token)
                return reset()
            }
        }
        router.post("/account/reset/:token") { request, context in
            let token = try context.parameters.require("token")
            return await answer(request, from: context.clientAddress, again: reset()) { form in
                try await service.resetPassword(
                    by: token, to: form.newPassword ?? "", from: context.clientAddress)
                return Words.changed
            }
        }
        router.get("/account/email/:token") { request, context in
            let token = try context.parameters.require("token")
            return await show(request) { address(try await service.checkAddressLink(token)) }
        }
        router.post("/account/email/:token") { request, context in
            let token = try context.parameters.require("token")
            return await answer(request, from: context.clientAddress, again: nil) { _ in
                try await service.changeAddress(by: token)
                return Words.confirmed
            }
        }
    }

    private func show(_ model: SettingsModel, _ request: Request) -> Response {
        pages.settings(model, request: request)
    }

    private func show(_ request: Request, _ model: () async throws -> SettingsModel) async -> Response {
        do {
            return pages.settings(try await model(), request: request)
        } catch {
            return pages.common.failure(service.failure(of: error, at: "account"), request: request)
        }
    }

    /// Carries out an answer. After a value that can be typed again, the page
    /// is shown again.
    private func answer(
        _ request: Request, from address: String?, again: SettingsModel?,
        _ carryOut: (CustomerForm) async throws -> ResultModel
    ) async -> Response {
        do {
            try request.refuseOtherOrigins(of: service.publicURL)
            let result = try await carryOut(try await limits.form(of: request, from: address))
            return request.wantsJSON ? Response.json(["outcome": "accepted"]) : pages.common.result(result)
        } catch {
            let failure = service.failure(of: error, at: "account")
            guard failure.code == .invalid, var model = again else {
                return pages.common.failure(failure, request: request)
            }
            model.message = failure.message
            return pages.settings(model, failure: failure, request: request)
        }
    }

    private func page(_ title: String, _ form: SettingsForm, paragraphs: [String] = []) -> SettingsModel {
        var model = SettingsModel(title: title, environment: service.environment.rawValue, address: "")
        model.asksForSignIn = false
        model.paragraphs = paragraphs
        model.forms = [form]
        return model
    }

    private func forgotten() -> SettingsModel {
        page(
            Words.forgotten,
            SettingsForm(
                fields: [.init(name: "email", title: Words.email, type: "email", autocomplete: "username")],
                buttons: [.init(decision: "send", title: Words.send, isPrimary: true)]))
    }

    private func reset() -> SettingsModel {
        page(
            Words.reset,
            SettingsForm(
                fields: [
                    .init(name: "newPassword", title: Words.password, type: "password", autocomplete: "new-password")
                ],
                buttons: [.init(decision: "set", title: Words.set, isPrimary: true)]))
    }

    private func address(_ email: String) -> SettingsModel {
        page(
            Words.address, SettingsForm(buttons: [.init(decision: "confirm", title: Words.confirm, isPrimary: true)]),
            paragraphs: [email])
    }
}
