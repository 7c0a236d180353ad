// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL

/// An error as the server sent it. See "PostgreSQL Error Codes", appendix A of
/// its documentation.
struct ServerError {
    /// The five characters of SQLSTATE; empty when libpq made the error.
    let state: String
    let message: String
    let constraint: String?

    /// The connection is gone with it.
    let isFatal: Bool

    /// The function of the server that raised it, which no language changes.
    let function: String

    init(_ result: OpaquePointer) {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        state = field(store_pq_sqlstate) ?? ""
        message = field(store_pq_message) ?? String(cString: PQresultErrorMessage(result))
        constraint = field(store_pq_constraint)
        isFatal = ["FATAL", "PANIC"].contains(field(store_pq_severity) ?? "")
        function = field(store_pq_function) ?? ""
    }

    /// Another transaction was in the way, and the same closure may succeed.
    var isConflict: Bool { state == "40001" || state == "40P01" }

    /// A prepared statement has become unusable: a table has changed since, or
    /// something between us and the server has dropped it.
    var isStalePlan: Bool {
        state == "0A000" && function == "RevalidateCachedQuery" || state == "26000"
    }
}
