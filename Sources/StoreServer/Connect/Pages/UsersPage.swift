// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain
import StoreService

/// The page of a team's users and open invitations.
struct UsersPage: ConnectPage {
    static let action: TeamAction? = .seeUsers

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        var sections = [try await users(visit)]
        if visit.user.role.may(.manageUsers) {
            sections.append(invitation(visit))
            sections.append(try await invitations(visit))
        }
        return ConsoleModel(visit, at: .users, sections: sections)
    }

    private func users(_ visit: ConnectVisit) async throws -> ConsoleSection {
        let (words, console, roles) = (
            TeamWords.words(visit.language), ConsoleWords.words(visit.language), RoleWords.words(visit.language)
        )
        let (text, sort) = (visit.query["q"] ?? "", visit.sort(UserSort.self))
        let page = try await visit.service.teamReader.users(
            containing: text, by: sort, after: visit.place(in: sort), as: visit.user)
        let entries = page.entries.map { user in
            ConsoleEntry(
                name: user.name, address: "\(ConnectPlace.users.rawValue)/\(user.identifier)",
                details: [user.email, words.fill(\.joined, ["date": visit.language.date(user.joined)])]
                    + (user.usesCodes ? [words.codes] : []),
                note: roles.name(user.role))
        }
        return ConsoleSection(
            search: ConsoleSearch(label: words.searchUsers, text: text, button: console.find, sort: sort.parameter),
            sorting: ConsoleSorting(sort, of: ConnectPlace.users.rawValue, ["q": text], visit), entries: entries,
            empty: entries.isEmpty ? console.nothingFound : nil,
            links: page.next.map { next in
                [
                    PageLink(
                        ConnectPlace.users.rawValue, ["q": text, "sort": sort.parameter, "after": next.text],
                        console.more)
                ]
            } ?? [])
    }

    private func invitation(_ visit: ConnectVisit) -> ConsoleSection {
        let (words, roles) = (TeamWords.words(visit.language), RoleWords.words(visit.language))
        return ConsoleSection(
            heading: words.invite, paragraphs: [words.inviteNote],
            forms: [
                ConsoleForm(
                    fields: [
                        visit.field(
                            ConsoleField("email", words.email, type: "email", value: visit.value("email"))),
                        visit.field(
                            ConsoleField(
                                "role", words.role, options: roles.options(for: visit.user),
                                chosen: visit.value("role", TeamRole.developer.rawValue))),
                        visit.presentPassword,
                    ],
                    buttons: [.init(decision: "invite", label: words.inviteButton, isPrimary: true)])
            ])
    }

    private func invitations(_ visit: ConnectVisit) async throws -> ConsoleSection {
        let (words, roles) = (TeamWords.words(visit.language), RoleWords.words(visit.language))
        let entries = try await visit.service.teamReader.invitations(as: visit.user).map { invitation in
            ConsoleEntry(
                name: invitation.email,
                details: [
                    roles.name(invitation.role), words.fill(\.invitedBy, ["email": invitation.inviter.isolated]),
                    words.fill(\.until, ["date": visit.language.date(invitation.expires)]),
                ],
                forms: visit.user.role.may(invitation.role.assignment)
                    ? [.button("revoke", words.revoke, of: "email", invitation.email)] : [])
        }
        return ConsoleSection(
            heading: words.invitations, entries: entries, empty: entries.isEmpty ? words.noInvitations : nil)
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let inviting = try visit.service.inviting()
        switch form.decision {
        case "invite":
            try await visit.confirm(form)
            let path = try await inviting(
                email: form["email"], role: form["role"], language: visit.language.rawValue, by: visit.user)
            return .page(invited(Account.normalized(form["email"]), at: path, visit))
        case "revoke":
            try await inviting.revoke(form["email"], by: visit.user)
            return .visit("\(ConnectPlace.users.rawValue)?done=revoked")
        default: throw form.unknown
        }
    }

    private func invited(_ email: String, at path: String, _ visit: ConnectVisit) -> ConsoleModel {
        let words = TeamWords.words(visit.language)
        return .address(
            visit.service.publicURL + path, titled: words.fill(\.invited, ["email": email.isolated]),
            notes: [words.addressNote] + (visit.service.sendsMail ? [words.mailed] : []), visit)
    }
}

extension ConsoleModel {
    /// The page that shows a one-time address once.
    static func address(
        _ address: String, titled title: String, notes: [String], _ visit: ConnectVisit
    ) -> ConsoleModel {
        let words = TeamWords.words(visit.language)
        var model = ConsoleModel(
            visit, at: .users, title: title,
            sections: [
                ConsoleSection(paragraphs: notes, copies: [ConsoleCopy(label: words.address, lines: [address])])
            ])
        model.above = PageLink(ConnectPlace.users.rawValue, [:], ConsoleWords.words(visit.language).users)
        return model
    }
}

extension PageLink {
    /// A link to a page with parameters; those without a value are left out.
    init(_ path: String, _ query: KeyValuePairs<String, String>, _ name: String) {
        self.init(path, parameters: query.map { $0 }, name)
    }

    /// The same of a list of parameters.
    init(_ path: String, parameters: [(key: String, value: String)], _ name: String) {
        let parameters = parameters.filter { !$0.value.isEmpty }.map { "\($0.key)=\($0.value.percentEncodedForQuery)" }
        self.init(
            address: path + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")), name: name,
            isHere: false)
    }
}
