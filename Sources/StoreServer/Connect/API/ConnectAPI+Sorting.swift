// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The orders of lists, and the places of their pages.
extension ConnectAPI {
    /// The order that the parameter `sort` names; the usual one without it.
    ///
    /// - Throws: `InvalidFields` for an unknown name.
    static func sort<Sort: ListSort>(_ query: [String: String], _ type: Sort.Type) throws -> Sort {
        guard let name = query["sort"]?.nonEmpty else { return .usual }
        guard let sort = Sort(rawValue: name) else { throw InvalidFields(unknown: "sort") }
        return sort
    }

    /// The number before which a page of the newest entries begins.
    ///
    /// - Throws: `InvalidFields` for a text that is no such number.
    static func number(before query: [String: String]) throws -> Int64 {
        let before = query["before"]?.nonEmpty.map { Int64($0) ?? -1 } ?? .max
        guard before > 0 else {
            throw InvalidFields(problems: [FieldProblem(field: "before", kind: .malformed)])
        }
        return before
    }

    /// The place of the parameter `after`; `nil` for the first page.
    ///
    /// - Throws: `InvalidFields` for a text that is no place of the order.
    static func place(_ query: [String: String], in sort: some PlacedSort) throws -> ListPlace? {
        guard let text = query["after"]?.nonEmpty else { return nil }
        guard let place = sort.place(text) else {
            throw InvalidFields(problems: [FieldProblem(field: "after", kind: .malformed)])
        }
        return place
    }
}
