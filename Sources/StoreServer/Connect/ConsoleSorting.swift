// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The orders of a list as links above it, at each width of the page: its
/// entries have no columns whose headings could be links. The links keep the
/// search and the filters, and begin with the first page.
struct ConsoleSorting {
    var sortingLabel: String
    var sorts: [PageLink]

    init<Sort: NamedSort>(
        _ chosen: Sort, of path: String, _ query: KeyValuePairs<String, String>, _ visit: ConnectVisit
    ) {
        let words = SortWords.words(visit.language)
        sortingLabel = words.label
        sorts = Sort.allCases.map { sort in
            var link = PageLink(
                path, parameters: query.map { $0 } + [("sort", sort.parameter)], words[keyPath: sort.words])
            link.isHere = sort == chosen
            return link
        }
    }
}

extension ConnectVisit {
    /// The order that the page's address names; the usual one for an unknown
    /// name, as an unknown filter is none.
    func sort<Sort: ListSort>(_ type: Sort.Type) -> Sort {
        query["sort"].flatMap(Sort.init) ?? .usual
    }

    /// The place after which the page begins; `nil` for the first page, and for
    /// a text that is no place of the order.
    func place(in sort: some PlacedSort) -> ListPlace? {
        query["after"]?.nonEmpty.flatMap(sort.place)
    }
}
