// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// A signed-in user's request for a page of Connect.
struct ConnectVisit: Sendable {
    let service: StoreService
    let language: PageLanguage
    var user: TeamUser
    let team: Team
    let session: TeamSession
    /// The parameters of the page's address.
    let query: [String: String]
    /// The typed values of a form that wasn't carried out; empty otherwise.
    var typed = ConnectForm()
    /// The problems of these values.
    var problems: [FieldProblem] = []
    /// Whether the form wasn't carried out because another user has changed
    /// the object since its page was shown.
    var isChanged = false

    var environment: StoreEnvironment { service.environment }

    /// The value that a field shows: the typed one, else the stored one.
    func value(_ field: String, _ stored: String = "") -> String { typed.fields[field] ?? stored }

    /// A field with the problem of its typed value.
    func field(_ field: ConsoleField) -> ConsoleField {
        FieldWords.mark(field, problems, in: language)
    }

    /// A field with the saved value beside the typed one, if another user has
    /// changed the object.
    func field(_ field: ConsoleField, stored: String) -> ConsoleField {
        var field = self.field(field)
        guard isChanged, let typed = typed.fields[field.name], typed.replacing("\r\n", with: "\n") != stored else {
            return field
        }
        let label = field.options.first { $0.value == stored }?.label ?? stored
        let words = ConsoleWords.words(language)
        field.present = label.isEmpty ? words.presentNone : words.fill(\.present, ["value": label.isolated])
        return field
    }
}

/// The result of a form.
enum ConnectOutcome {
    /// Another page, or the same one as it is after the change.
    case visit(String)
    /// A page that is shown once, such as one with recovery codes.
    case page(ConsoleModel)
    /// The page of the form, for a user with a new password, whose earlier
    /// sessions have ended.
    case signedInAgain(TeamUser, String)
}

/// A page of Connect for signed-in users.
protocol ConnectPage: Sendable {
    /// The action that the page needs; `nil` for a page of all users.
    static var action: TeamAction? { get }

    /// The largest body of the page's forms.
    static var formLimit: Int { get }

    /// The places of which a request for the page takes one.
    static var places: KeyPath<RequestLimits, TeamPlaces> { get }

    /// The places of which a form of the page takes one.
    static var formPlaces: KeyPath<RequestLimits, TeamPlaces> { get }

    /// Whether the page shows the typed values beside the saved ones when
    /// another user has changed the object. The other pages show the saved
    /// ones.
    static var showsBoth: Bool { get }

    /// The page, with the typed values and their problems after a form that
    /// wasn't carried out.
    func model(_ visit: ConnectVisit) async throws -> ConsoleModel

    /// Carries out a form of the page.
    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome
}

extension ConnectPage {
    static var showsBoth: Bool { false }
    static var places: KeyPath<RequestLimits, TeamPlaces> { \.connectPlaces }
    static var formPlaces: KeyPath<RequestLimits, TeamPlaces> { places }
    static var formLimit: Int { ConnectForm.limit }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome { throw form.unknown }
}

/// The values of a form (`application/x-www-form-urlencoded`, and
/// `multipart/form-data` for one with a file), by the names of their fields.
struct ConnectForm: Sendable {
    /// A file that a browser has sent with a form.
    struct File: Sendable {
        var name: String
        var contents: Data
    }

    var fields: [String: String] = [:]
    /// The file of a form with one (`multipart/form-data`).
    var file: File?

    /// The largest body of a form.
    static let limit = 64 << 10

    init() {}

    /// Decodes the body of a request.
    ///
    /// - Throws: `StoreFailure` `malformed`.
    init(reading text: String) throws {
        do {
            fields = try text.isEmpty ? [:] : URLEncodedFormDecoder().decode([String: String].self, from: text)
        } catch {
            throw StoreFailure(.malformed, "The form can't be read.")
        }
    }

    subscript(_ name: String) -> String { fields[name] ?? "" }

    var decision: String { self["decision"] }

    /// The name of the form's field with a value. The texts of the language that
    /// a form adds have names of their own.
    func name(of field: String) -> String {
        guard fields[field] == nil else { return field }
        return switch field {
        case "title-\(self["newLocale"])": "newTitle"
        case "description-\(self["newLocale"])": "newDescription"
        default: field
        }
    }

    /// The form without values that a page doesn't show again.
    var withoutPasswords: ConnectForm {
        var form = self
        for name in ["password", "newPassword", "code"] { form.fields[name] = nil }
        return form
    }

    var unknown: StoreFailure { StoreFailure(.invalid, "The page has no button \"\(decision.prefix(40))\".") }
}
