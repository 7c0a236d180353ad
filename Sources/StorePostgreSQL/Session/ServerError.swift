// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL

/// An error as the server sent it. See "PostgreSQL Error Codes", appendix A of
/// its documentation.
struct ServerError {
    /// The five characters of SQLSTATE; empty when libpq made the error.
    let state: String
    let message: String
    let constraint: String?

    /// Whether the error ends the connection.
    let isFatal: Bool

    /// The server's function that raised the error. Its name isn't translated.
    let function: String

    init(_ result: OpaquePointer) {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        state = field(store_pq_sqlstate) ?? ""
        message = field(store_pq_message) ?? String(cString: PQresultErrorMessage(result))
        constraint = field(store_pq_constraint)
        isFatal = ["FATAL", "PANIC"].contains(field(store_pq_severity) ?? "")
        function = field(store_pq_function) ?? ""
    }

    /// Whether another transaction conflicted, so that a repetition may
    /// succeed.
    var isConflict: Bool { state == "40001" || state == "40P01" }

    /// Whether a prepared statement has become unusable: a table has changed,
    /// or a proxy between this process and the server has dropped the
    /// statement.
    var isStalePlan: Bool {
        state == "0A000" && function == "RevalidateCachedQuery" || state == "26000"
    }
}
