// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of the purchases of a team's apps. Its filters, its search and its
/// place are in the address.
struct TransactionsPage: ConnectPage {
    static let action: TeamAction? = .seeTransactions

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let apps = try await visit.service.teamPurchases.listedApps(as: visit.user)
        let text = visit.query["q"] ?? ""
        let page = try await page(visit, text)
        let names = Dictionary(apps.map { ($0.bundleIdentifier, $0.name) }, uniquingKeysWith: { first, _ in first })
        let (words, console) = (TransactionWords.words(visit.language), ConsoleWords.words(visit.language))
        let isFiltered = !text.isEmpty || !filter(visit).takesAll || visit.query["before"] != nil
        let isPart = apps.count == ReadingTeamPurchases.apps && filter(visit).app == nil && text.isEmpty
        return ConsoleModel(
            visit, at: .transactions,
            sections: [
                ConsoleSection(
                    paragraphs: isPart ? [words.fill(\.firstApps, ["count": String(apps.count)])] : [],
                    search: search(visit, apps),
                    entries: page.entries.map { Self.entry($0, names[$0.bundleIdentifier], visit) },
                    empty: page.entries.isEmpty ? (isFiltered ? console.nothingFound : words.none) : nil,
                    links: page.next.map { [next(visit, $0, isEmpty: page.entries.isEmpty)] } ?? [])
            ])
    }

    private func page(_ visit: ConnectVisit, _ text: String) async throws -> ReadingTeamPurchases.Page {
        let purchases = visit.service.teamPurchases
        guard text.isEmpty else {
            return ReadingTeamPurchases.Page(entries: try await purchases.search(text, as: visit.user))
        }
        return try await purchases(
            filter(visit), before: visit.query["before"].flatMap(Purchase.Position.init(text:)), as: visit.user)
    }

    private func filter(_ visit: ConnectVisit) -> TeamPurchaseFilter { TeamPurchaseFilter(query: visit.query) }

    private func search(_ visit: ConnectVisit, _ apps: [AppRegistration]) -> ConsoleSearch {
        let (words, products) = (TransactionWords.words(visit.language), ProductWords.words(visit.language))
        let (app, kind, state) = (visit.query["app"] ?? "", visit.query["kind"] ?? "", visit.query["state"] ?? "")
        func options(
            _ all: String, _ choices: [(value: String, label: String)], chosen: String
        ) -> [ConsoleField.Option] {
            ([("", all)] + choices).map {
                ConsoleField.Option(optionValue: $0.0, optionLabel: $0.1, isChosen: $0.0 == chosen)
            }
        }
        return ConsoleSearch(
            label: words.search, text: visit.query["q"] ?? "", button: ConsoleWords.words(visit.language).find,
            filters: [
                .init(
                    filterName: "app", filterTitle: words.app,
                    choices: options(words.allApps, apps.map { ($0.bundleIdentifier.rawValue, $0.name) }, chosen: app)),
                .init(filterName: "kind", filterTitle: words.kind, choices: products.kinds(chosen: kind)),
                .init(
                    filterName: "state", filterTitle: words.state,
                    choices: options(
                        words.allStates,
                        TeamPurchaseFilter.State.allCases.map { ($0.rawValue, words.name($0)) }, chosen: state)),
            ])
    }

    private func next(_ visit: ConnectVisit, _ place: Purchase.Position, isEmpty: Bool) -> PageLink {
        let words = TransactionWords.words(visit.language)
        return PageLink(
            ConnectPlace.transactions.rawValue,
            [
                "app": visit.query["app"] ?? "", "kind": visit.query["kind"] ?? "",
                "state": visit.query["state"] ?? "", "before": place.text,
            ], isEmpty ? words.olderAfterSearch : words.older)
    }

    /// The entry of a purchase in a list.
    static func entry(_ purchase: Purchase, _ app: String?, _ visit: ConnectVisit) -> ConsoleEntry {
        let language = visit.language
        let words = PurchaseWords.words(language)
        let price = PurchaseModel.price(of: purchase, language, words)
        return ConsoleEntry(
            name: purchase.productIdentifier.rawValue, address: TransactionPage.path(purchase.transactionIdentifier),
            details: [
                purchase.transactionIdentifier.rawValue, app ?? purchase.bundleIdentifier.rawValue,
                price + (purchase.revoked == nil ? "" : ", \(words.refunded)"),
            ],
            note: language.date(purchase.date))
    }
}

extension TeamPurchaseFilter {
    /// The filter of the parameters `app`, `kind` and `state` of an address. An
    /// unknown state is none.
    init(query: [String: String]) {
        self.init()
        app = query["app"]?.nonEmpty.map { BundleIdentifier($0) }
        kind = query["kind"]?.nonEmpty.map(Product.Kind.init(rawValue:))
        state = query["state"].flatMap(State.init)
    }
}
