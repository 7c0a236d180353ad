// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The queue of the operator's review, for users of the operator's team.
struct ReviewsPage: ConnectPage {
    static let action: TeamAction? = .reviewProducts

    private static let states: [ProductReview.State] = [.waiting, .inReview]

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let (words, console) = (ReviewWords.words(visit.language), ConsoleWords.words(visit.language))
        let products = ProductWords.words(visit.language)
        let (text, state) = (visit.query["q"] ?? "", visit.query["state"] ?? "")
        let (sort, path) = (visit.sort(ReviewSort.self), ConnectPlace.reviews.rawValue)
        let page = try await visit.service.reviewReader.page(
            containing: text, state: state, by: sort, after: Self.place(visit.query), as: visit.user)
        let options =
            [ConsoleOption("", words.allStates)] + Self.states.map { ConsoleOption($0.rawValue, products.name($0)) }
        let section = ConsoleSection(
            paragraphs: visit.service.approvesProducts ? [words.approvesAll] : [],
            search: ConsoleSearch(
                label: words.search, text: text, button: console.find, sort: sort.parameter,
                filters: [.init("state", words.state, options: options, chosen: state)]),
            sorting: ConsoleSorting(sort, of: path, ["q": text, "state": state], visit),
            entries: page.entries.map { listed in
                ConsoleEntry(
                    name: listed.referenceName, address: ReviewPage.path(listed.entry.product, of: listed.entry.app),
                    details: [
                        "\(listed.appName.isolated) (\(listed.entry.app))", listed.entry.product.rawValue,
                        words.fill(
                            \.submittedBy,
                            [
                                "team": (listed.teamName ?? words.operatorTeam).isolated,
                                "date": visit.language.date(listed.entry.submitted),
                            ]),
                    ], note: products.name(listed.entry.state))
            },
            empty: page.entries.isEmpty
                ? (text.isEmpty && state.isEmpty ? words.none : console.nothingFound) : nil,
            links: page.next.map { next in
                [
                    PageLink(
                        path,
                        [
                            "q": text, "state": state, "sort": sort.parameter,
                            "submitted": String(next.submitted.milliseconds),
                            "app": next.app.rawValue, "product": next.product.rawValue,
                        ], console.more)
                ]
            } ?? [])
        return ConsoleModel(visit, at: .reviews, sections: [section])
    }

    /// The place in the queue that an address names.
    private static func place(_ query: [String: String]) -> ReviewingProducts.Entry? {
        query["submitted"].flatMap { Int64($0) }.map { submitted in
            ReviewingProducts.Entry(
                app: BundleIdentifier(query["app"] ?? ""), product: ProductIdentifier(query["product"] ?? ""),
                state: .waiting, submitted: WallTime(milliseconds: submitted), version: 0)
        }
    }
}
