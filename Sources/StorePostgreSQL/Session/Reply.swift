// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import Foundation
import StoreDatabase

/// The server's reply to one command.
struct Reply {
    /// The rows of the result; none for a command without a result.
    var rows: [Row] = []

    /// The number of rows that the command changed.
    var changes = 0

    /// The name of the completed command, `COMMIT` for example.
    var tag = ""

    init() {}

    /// - Throws: ``DatabaseError`` with code `column` for a value that
    ///   ``DatabaseValue`` can't represent.
    init(_ result: OpaquePointer) throws {
        tag = String(cString: PQcmdStatus(result))
        // SELECT counts rows too, but changes none.
        if !tag.hasPrefix("SELECT") {
            changes = Int(String(cString: PQcmdTuples(result))) ?? 0
        }
        let width = PQnfields(result)
        guard width > 0 else { return }
        let columns = (0..<width).map { String(cString: PQfname(result, $0)) }
        let types = (0..<width).map { PQftype(result, $0) }
        rows.reserveCapacity(Int(PQntuples(result)))
        for row in 0..<PQntuples(result) {
            let values = try (0..<width).map { column in
                guard PQgetisnull(result, row, column) == 0 else { return DatabaseValue.null }
                let bytes = UnsafeRawBufferPointer(
                    start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
                return try DatabaseValue(bytes, type: types[Int(column)], column: columns[Int(column)])
            }
            rows.append(Row(columns: columns, values: values))
        }
    }
}
