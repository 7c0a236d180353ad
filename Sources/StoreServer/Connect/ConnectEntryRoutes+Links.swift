// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// A page of a one-time address.
protocol ConnectLinkPage {
    /// The page, with the typed values and their problems after a form that
    /// wasn't carried out.
    static func model(_ visit: ConnectLinkVisit) async throws -> ConsoleModel

    /// Carries out the form.
    ///
    /// - Returns: The user to sign in; `nil` for one who has to type the new
    ///   password first.
    static func carryOut(_ visit: ConnectLinkVisit, from address: String?) async throws -> TeamUser?
}

/// A request for a page of a one-time address.
struct ConnectLinkVisit: Sendable {
    let service: StoreService
    let language: PageLanguage
    let token: String
    var typed = ConnectForm()
    var problems: [FieldProblem] = []

    var words: JoinWords { .words(language) }

    func field(_ field: ConsoleField) -> ConsoleField { FieldWords.mark(field, problems, in: language) }

    /// The fields of a new user's name and password.
    var userFields: [ConsoleField] {
        [
            field(ConsoleField("name", words.name, value: typed["name"], autocomplete: "name")),
            passwordField,
        ]
    }

    var passwordField: ConsoleField {
        field(
            ConsoleField(
                "newPassword", words.newPassword, type: "password", autocomplete: "new-password",
                hint: words.passwordHint))
    }

    func model(title: String, note: String?, fields: [ConsoleField], button: String) -> ConsoleModel {
        ConsoleModel(
            language, title: title, environment: service.environment,
            sections: [
                ConsoleSection(
                    paragraphs: note.map { [$0] } ?? [],
                    forms: [
                        ConsoleForm(
                            fields: fields, buttons: [.init(decision: "save", label: button, isPrimary: true)])
                    ])
            ])
    }
}

extension ConnectEntryRoutes {
    func show(_ page: any ConnectLinkPage.Type, _ request: Request, _ context: StoreRequestContext) async -> Response {
        do {
            try authentication.requireSafety()
            return pages.page(try await page.model(try visit(request, context)))
        } catch {
            return failed(error, request)
        }
    }

    func answer(
        _ page: any ConnectLinkPage.Type, _ request: Request, _ context: StoreRequestContext
    ) async -> Response {
        do {
            try authentication.requireSafety()
            var visit = try visit(request, context)
            visit.typed = try await authentication.form(request, from: context.clientAddress)
            do {
                return try await response(to: try await page.carryOut(visit, from: context.clientAddress), request)
            } catch {
                let failure = service.failure(of: error, at: "connect")
                guard [.invalid, .unavailable].contains(failure.code) else { throw error }
                visit.typed = visit.typed.withoutPasswords
                if let invalid = error as? InvalidFields { visit.problems = invalid.problems }
                var model = try await page.model(visit)
                model.message =
                    error is InvalidFields
                    ? PageMessage(text: FieldWords.words(visit.language).several)
                    : PageMessage(failure, in: visit.language)
                return pages.page(model, failure: failure)
            }
        } catch {
            return failed(error, request)
        }
    }

    private func visit(_ request: Request, _ context: StoreRequestContext) throws -> ConnectLinkVisit {
        ConnectLinkVisit(
            service: service, language: PageLanguage(request), token: try context.parameters.require("token"))
    }

    private func response(to user: TeamUser?, _ request: Request) async throws -> Response {
        guard let user else { return .visit("/connect/sign-in?done=recovered", status: .seeOther) }
        var response = Response.visit("/connect", status: .seeOther)
        authentication.set(try await authentication.open(for: user, request), on: &response)
        return response
    }
}
