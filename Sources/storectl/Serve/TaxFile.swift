// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The file of `--taxes`.
enum TaxFile {
    /// The largest file, in bytes.
    private static let limit = 1 << 20

    /// Reads the table; an empty one without a file.
    ///
    /// - Throws: `CommandFailure` for a file that can't be read or is too
    ///   large; `DomainError` `invalid` with the number of a line.
    static func read(_ path: String?) throws -> TaxTable {
        guard let path else { return TaxTable() }
        let contents = try readFile(path, what: "table of taxes")
        guard contents.count <= limit else { throw CommandFailure("\(path) has more than \(limit) bytes.") }
        return try TaxTable(reading: String(decoding: contents, as: UTF8.self), file: path)
    }
}
