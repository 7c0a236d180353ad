// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of the purchases of a team's apps. Its filters, its search and its
/// place are in the address.
struct TransactionsPage: ConnectPage {
    static let action: TeamAction? = .seeTransactions

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let apps = try await visit.service.teamPurchases.listedApps(as: visit.user)
        let (text, sort) = (visit.query["q"] ?? "", visit.sort(PurchaseSort.self))
        let page = try await page(visit, text, by: sort)
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
                    sorting: ConsoleSorting(
                        sort, of: ConnectPlace.transactions.rawValue,
                        [
                            "q": text, "app": visit.query["app"] ?? "", "kind": visit.query["kind"] ?? "",
                            "state": visit.query["state"] ?? "",
                        ], visit),
                    entries: page.entries.map { Self.entry($0, names[$0.bundleIdentifier], visit) },
                    empty: page.entries.isEmpty ? (isFiltered ? console.nothingFound : words.none) : nil,
                    links: page.next.map { [next(visit, $0, isEmpty: page.entries.isEmpty)] } ?? [])
            ])
    }

    private func page(
        _ visit: ConnectVisit, _ text: String, by sort: PurchaseSort
    ) async throws -> ReadingTeamPurchases.Page {
        let purchases = visit.service.teamPurchases
        guard text.isEmpty else {
            return ReadingTeamPurchases.Page(entries: try await purchases.search(text, by: sort, as: visit.user))
        }
        return try await purchases(
            filter(visit), by: sort, before: visit.query["before"].flatMap(Purchase.Position.init(text:)),
            as: visit.user)
    }

    private func filter(_ visit: ConnectVisit) -> TeamPurchaseFilter { TeamPurchaseFilter(query: visit.query) }

    private func search(_ visit: ConnectVisit, _ apps: [AppRegistration]) -> ConsoleSearch {
        let (words, products) = (TransactionWords.words(visit.language), ProductWords.words(visit.language))
        let (app, kind, state) = (visit.query["app"] ?? "", visit.query["kind"] ?? "", visit.query["state"] ?? "")
        return ConsoleSearch(
            label: words.search, text: visit.query["q"] ?? "", button: ConsoleWords.words(visit.language).find,
            sort: visit.sort(PurchaseSort.self).parameter,
            filters: [
                .init(
                    "app", words.app,
                    options: [ConsoleOption("", words.allApps)]
                        + apps.map { ConsoleOption($0.bundleIdentifier.rawValue, $0.name) }, chosen: app),
                .init("kind", words.kind, options: products.kinds, chosen: kind),
                .init(
                    "state", words.state,
                    options: [ConsoleOption("", words.allStates)]
                        + TeamPurchaseFilter.State.allCases.map { ConsoleOption($0.rawValue, words.name($0)) },
                    chosen: state),
            ])
    }

    private func next(_ visit: ConnectVisit, _ place: Purchase.Position, isEmpty: Bool) -> PageLink {
        let (words, sort) = (TransactionWords.words(visit.language), visit.sort(PurchaseSort.self))
        let name =
            switch sort {
            case .newest: isEmpty ? words.olderAfterSearch : words.older
            case .oldest: isEmpty ? words.newerAfterSearch : words.newer
            }
        return PageLink(
            ConnectPlace.transactions.rawValue,
            [
                "app": visit.query["app"] ?? "", "kind": visit.query["kind"] ?? "",
                "state": visit.query["state"] ?? "", "sort": sort.parameter, "before": place.text,
            ], name)
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
