// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of a team's items: songs, albums, movies, books and podcasts.
struct TeamItemsPage: ConnectPage {
    static let action: TeamAction? = .seeApps

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let (words, console) = (TeamItemWords.words(visit.language), ConsoleWords.words(visit.language))
        let (text, kind) = (visit.query["q"] ?? "", visit.query["kind"] ?? "")
        let (sort, path) = (visit.sort(ItemSort.self), ConnectPlace.items.rawValue)
        let page = try await visit.service.itemReader.page(
            kind: kind, containing: text, by: sort, after: visit.place(in: sort), as: visit.user)
        var links =
            page.next.map { next in
                [
                    PageLink(
                        path, ["q": text, "kind": kind, "sort": sort.parameter, "after": next.text], console.more)
                ]
            } ?? []
        if visit.user.role.may(.editProducts) { links.append(PageLink(NewItemPage.path, [:], words.new)) }
        let section = ConsoleSection(
            search: ConsoleSearch(
                label: words.search, text: text, button: console.find, sort: sort.parameter,
                filters: [
                    .init(
                        "kind", words.kind, options: [ConsoleOption("", words.allKinds)] + words.kinds, chosen: kind)
                ]),
            sorting: ConsoleSorting(sort, of: path, ["q": text, "kind": kind], visit),
            entries: page.entries.map { item in
                ConsoleEntry(
                    name: item.name, address: TeamItemPage.path(item.identifier),
                    details: [words.name(item.kind), String(item.identifier)],
                    note: visit.language.price(item.dollars))
            },
            empty: page.entries.isEmpty
                ? (text.isEmpty && kind.isEmpty ? words.none : console.nothingFound) : nil,
            links: links)
        return ConsoleModel(visit, at: .items, sections: [section])
    }
}

/// The page on which an item is registered.
struct NewItemPage: ConnectPage {
    static let action: TeamAction? = .editProducts
    static let path = "/connect/new-item"

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let words = TeamItemWords.words(visit.language)
        let form = ConsoleForm(
            fields: TeamItemFields(visit).values(of: nil),
            buttons: [.init(decision: "add", label: words.add, isPrimary: true)])
        var model = ConsoleModel(
            visit, at: .items, title: words.new,
            sections: [ConsoleSection(paragraphs: [words.newNote], forms: [form])])
        model.above = PageLink(ConnectPlace.items.rawValue, [:], ConsoleWords.words(visit.language).items)
        return model
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        guard form.decision == "add" else { throw form.unknown }
        let item = try await visit.service.registeringItem().add(TeamItemFields.values(form), by: visit.user)
        return .visit("\(TeamItemPage.path(item.identifier))?done=saved")
    }
}
