// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of a team's sandbox testers, and the form of a new one.
struct TestersPage: ConnectPage {
    static let action: TeamAction? = .seeTesters

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        var sections = [try await list(visit)]
        if visit.user.role.may(.manageTesters) { sections.append(addition(visit)) }
        return ConsoleModel(visit, at: .testers, sections: sections)
    }

    private func list(_ visit: ConnectVisit) async throws -> ConsoleSection {
        let (words, console) = (TesterWords.words(visit.language), ConsoleWords.words(visit.language))
        let (text, storefront) = (visit.query["q"] ?? "", visit.query["storefront"] ?? "")
        let (sort, path) = (visit.sort(TesterSort.self), ConnectPlace.testers.rawValue)
        let page = try await visit.service.testerReader(
            containing: text, storefront: storefront, by: sort, after: visit.place(in: sort), as: visit.user)
        return ConsoleSection(
            search: ConsoleSearch(
                label: words.search, text: text, button: console.find, sort: sort.parameter,
                filters: [
                    .init(
                        "storefront", words.storefront,
                        options: [ConsoleOption("", words.allStorefronts)]
                            + StorefrontNames.options(in: visit.language),
                        chosen: storefront)
                ]),
            sorting: ConsoleSorting(sort, of: path, ["q": text, "storefront": storefront], visit),
            entries: page.entries.map { account in
                ConsoleEntry(
                    name: account.email, address: TesterPage.path(account.identifier),
                    details: (account.name.map { [$0] } ?? [])
                        + AccountSwitch.all.filter(account.has).map(words.name),
                    note: StorefrontNames.name(account.storefront, in: visit.language))
            },
            empty: page.entries.isEmpty
                ? (text.isEmpty && storefront.isEmpty ? words.none : console.nothingFound) : nil,
            links: page.next.map { next in
                [
                    PageLink(
                        path,
                        ["q": text, "storefront": storefront, "sort": sort.parameter, "after": next.text],
                        console.more)
                ]
            } ?? [])
    }

    private func addition(_ visit: ConnectVisit) -> ConsoleSection {
        let words = TesterWords.words(visit.language)
        var name = ConsoleField("name", words.name, value: visit.value("name"), autocomplete: "off")
        name.isRequired = false
        return ConsoleSection(
            heading: words.add, paragraphs: [words.addNote],
            forms: [
                ConsoleForm(
                    fields: [
                        visit.field(
                            ConsoleField("email", words.email, type: "email", value: visit.value("email"))),
                        visit.field(
                            ConsoleField(
                                "password", words.password, type: "password", autocomplete: "new-password",
                                hint: words.passwordHint)),
                        visit.field(name),
                        visit.field(
                            ConsoleField(
                                "storefront", words.storefront, options: StorefrontNames.options(in: visit.language),
                                chosen: visit.value("storefront", Storefront.unitedStates.countryCode))),
                    ],
                    buttons: [.init(decision: "add", label: words.add, isPrimary: true)])
            ])
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        guard form.decision == "add" else { throw form.unknown }
        let account = try await visit.service.managingTesters().add(
            TesterValues(
                email: form["email"], password: form["password"], name: form["name"], storefront: form["storefront"]),
            by: visit.user)
        return .visit("\(TesterPage.path(account.identifier))?done=tester")
    }
}
