// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of a team's apps.
struct AppsPage: ConnectPage {
    static let action: TeamAction? = .seeApps

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        var sections = [try await list(visit)]
        if visit.user.role.may(.registerApps) { sections.append(registration(visit)) }
        return ConsoleModel(visit, at: .apps, sections: sections)
    }

    private func list(_ visit: ConnectVisit) async throws -> ConsoleSection {
        let (words, console) = (AppWords.words(visit.language), ConsoleWords.words(visit.language))
        let (text, sort) = (visit.query["q"] ?? "", visit.sort(AppSort.self))
        let state = visit.query["state"].flatMap(AppRegistration.State.init) ?? .used
        let page = try await visit.service.appReader.apps(
            state, containing: text, by: sort, after: visit.place(in: sort), as: visit.user)
        let parameter = state == .used ? "" : state.rawValue
        let options = [
            ConsoleOption("", words.used), ConsoleOption(AppRegistration.State.removed.rawValue, words.removed),
        ]
        return ConsoleSection(
            search: ConsoleSearch(
                label: words.search, text: text, button: console.find, sort: sort.parameter,
                filters: [.init("state", words.state, options: options, chosen: parameter)]),
            sorting: ConsoleSorting(
                sort, of: ConnectPlace.apps.rawValue, ["q": text, "state": parameter], visit),
            entries: page.entries.map { app in
                ConsoleEntry(
                    name: app.name, address: AppPage.path(app.bundleIdentifier),
                    details: [app.bundleIdentifier.rawValue] + (app.sku.map { ["SKU \($0)"] } ?? []))
            },
            empty: page.entries.isEmpty
                ? (text.isEmpty ? (state == .used ? words.none : words.noneRemoved) : console.nothingFound) : nil,
            links: page.next.map { next in
                [
                    PageLink(
                        ConnectPlace.apps.rawValue,
                        [
                            "q": text, "state": parameter, "sort": sort.parameter,
                            "after": next.text,
                        ], console.more)
                ]
            } ?? [])
    }

    private func registration(_ visit: ConnectVisit) -> ConsoleSection {
        let words = AppWords.words(visit.language)
        return ConsoleSection(
            heading: words.register, paragraphs: [words.registerNote],
            forms: [
                ConsoleForm(
                    fields: [
                        visit.field(
                            ConsoleField("name", words.name, value: visit.value("name"), hint: words.nameHint)),
                        visit.field(
                            ConsoleField("bundle", words.bundle, value: visit.value("bundle"), hint: words.bundleHint)),
                        visit.field(ConsoleField("sku", words.sku, value: visit.value("sku"), hint: words.skuHint)),
                        visit.field(
                            ConsoleField(
                                "locale", words.locale, options: AppRegistration.locales.map { ConsoleOption($0, $0) },
                                chosen: visit.value("locale", "en_US"))),
                    ],
                    buttons: [.init(decision: "register", label: words.register, isPrimary: true)])
            ])
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        guard form.decision == "register" else { throw form.unknown }
        let app = try await visit.service.registeringApp()(
            AppRegistration.Values(
                bundleIdentifier: form["bundle"], name: form["name"], sku: form["sku"], primaryLocale: form["locale"]),
            by: visit.user)
        return .visit("\(AppPage.path(app.bundleIdentifier))?done=app")
    }
}
