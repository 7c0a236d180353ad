// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The body of a refusal of Connect's API: that of every other refusal, with
/// the problem of each field, and with the saved values of an object that
/// another user has changed.
struct ConnectFailure: Encodable {
    /// A field whose value can't be saved.
    struct Problem: Encodable {
        var field: String
        /// The raw value of a `FieldProblem.Kind`.
        var problem: String
        var limit: Int?
        /// A name that the problem is about, such as the product that a package
        /// names.
        var detail: String?
    }

    struct Detail: Encodable {
        var code: String
        var message: String
        var retryAfter: Int?
        var fields: [Problem]?
    }

    var error: Detail
    var saved: ConnectSaved?

    init(_ failure: StoreFailure, fields: [Problem]? = nil, saved: ConnectSaved? = nil) {
        error = Detail(
            code: failure.code.rawValue, message: failure.message, retryAfter: failure.retryAfter, fields: fields)
        self.saved = saved
    }
}

/// The error for a change of an object that another user has changed.
struct ConnectConflict: Error {
    var failure: StoreFailure
    var saved: ConnectSaved
}

extension ConnectFailure.Problem {
    /// The problem with the field's name in the API; the pages have one field
    /// for each text.
    init(_ problem: FieldProblem) {
        var field = problem.field
        for kind in ["title", "description"] where field.hasPrefix("\(kind)-") {
            field = "texts.\(field.dropFirst(kind.count + 1)).\(kind)"
        }
        self.init(
            field: field == "newLocale" ? "texts" : field, problem: problem.kind.rawValue, limit: problem.limit,
            detail: problem.detail)
    }
}
