// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of one user of a team.
struct UserPage: ConnectPage {
    static let action: TeamAction? = .seeUsers

    let identifier: TeamUserIdentifier

    private var path: String { "\(ConnectPlace.users.rawValue)/\(identifier)" }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let user = try await visit.service.teamReader.user(identifier, as: visit.user)
        let (words, roles) = (TeamWords.words(visit.language), RoleWords.words(visit.language))
        let facts = ConsoleSection(entries: [
            ConsoleEntry(
                name: user.email,
                details: [words.fill(\.joined, ["date": visit.language.date(user.joined)])]
                    + (user.usesCodes ? [words.codes] : []),
                note: roles.name(user.role))
        ])
        let mayChange = visit.user.role.may(.manageUsers) && visit.user.role.may(user.role.assignment)
        var model = ConsoleModel(
            visit, at: .users, title: user.name, sections: [facts] + (mayChange ? changes(of: user, visit) : []))
        model.above = PageLink(ConnectPlace.users.rawValue, [:], ConsoleWords.words(visit.language).users)
        return model
    }

    private func changes(of user: TeamUser, _ visit: ConnectVisit) -> [ConsoleSection] {
        let (words, roles) = (TeamWords.words(visit.language), RoleWords.words(visit.language))
        let recovery = ConsoleSection(
            heading: words.recovery, paragraphs: [words.recoveryNote],
            forms: [
                ConsoleForm(
                    fields: [visit.presentPassword],
                    buttons: [.init(decision: "recover", label: words.makeRecovery)])
            ])
        return [
            ConsoleSection(
                heading: words.changeRole,
                forms: [
                    ConsoleForm(
                        hidden: [.init(hiddenName: "before", hiddenValue: user.role.rawValue)],
                        fields: [
                            visit.field(
                                ConsoleField(
                                    "role", words.role, options: roles.options(for: visit.user),
                                    chosen: visit.value("role", user.role.rawValue))),
                            visit.presentPassword,
                        ],
                        buttons: [.init(decision: "role", label: words.changeRole, isPrimary: true)])
                ])
        ] + (user.identifier == visit.user.identifier ? [] : [recovery]) + [
            ConsoleSection(
                heading: words.remove, paragraphs: [words.removeNote],
                forms: [
                    ConsoleForm(buttons: [.init(decision: "remove", label: words.removeButton, isGrave: true)])
                ])
        ]
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let changing = try visit.service.changingUser()
        switch form.decision {
        case "role":
            try await visit.confirm(form)
            try await changing.setRole(form["role"], of: identifier, before: form["before"], by: visit.user)
            return .visit("\(path)?done=role")
        case "recover":
            try await visit.confirm(form)
            let address = try await changing.makeRecovery(of: identifier, by: visit.user)
            let user = try await visit.service.teamReader.user(identifier, as: visit.user)
            let words = TeamWords.words(visit.language)
            return .page(
                .address(
                    visit.service.publicURL + address,
                    titled: words.fill(\.recoveryMade, ["email": user.email.isolated]), notes: [words.addressNote],
                    visit))
        case "remove":
            try await changing.remove(identifier, by: visit.user)
            return .visit("\(ConnectPlace.users.rawValue)?done=removed")
        default: throw form.unknown
        }
    }
}
