// SPDX-License-Identifier: Apache-2.0

/// A table as text (CSV, RFC 4180), which spreadsheets read and write.
///
/// A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a
/// formula. Such a cell is written with an apostrophe before it, which the
/// reader removes. A cell that begins with an apostrophe gets another one, so
/// that nothing is lost.
package enum CSVText {
    /// A record, with the line in which it begins, from 1.
    package struct Record: Hashable, Sendable {
        package var line: Int
        package var cells: [String]
    }

    /// A text that is no table.
    package struct Problem: Error, Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            /// The quotation mark at the start of a cell has no other one.
            case openQuote = "open-quote"
            /// There is text between a closing quotation mark and the next
            /// separator.
            case afterQuote = "after-quote"
            case tooManyRows = "too-many-rows"
            case tooManyColumns = "too-many-columns"
            case tooLong = "too-long"
        }

        package var kind: Kind
        package var line: Int
        package var limit: Int?
    }

    /// The most records, with the names of the columns.
    package static let mostRows = ProductRegistration.limit + 1
    package static let mostColumns = 400
    /// The most bytes of a cell.
    package static let longestCell = 4000

    /// The characters with which a formula begins, and those that a
    /// spreadsheet leaves out before one. It takes the wide forms of the signs
    /// for the signs.
    private static let formulas = Set<Unicode.Scalar>(["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])

    /// A record as text, with the end of its line.
    package static func line(_ cells: [String]) -> String {
        cells.map(quoted).joined(separator: ",") + "\r\n"
    }

    private static func quoted(_ cell: String) -> String {
        let first = cell.unicodeScalars.first
        let safe = first.map { formulas.contains($0) || $0 == "'" } == true ? "'\(cell)" : cell
        guard safe.unicodeScalars.contains(where: { ",;\"\r\n\t".unicodeScalars.contains($0) }) else { return safe }
        return "\"\(safe.replacing("\"", with: "\"\""))\""
    }

    /// The cell without the apostrophe that the writer has added.
    private static func read(_ cell: String) -> String {
        let scalars = cell.unicodeScalars
        guard scalars.first == "'", let second = scalars.dropFirst().first, formulas.contains(second) || second == "'"
        else { return cell }
        return String(String.UnicodeScalarView(scalars.dropFirst()))
    }

    /// Reads the records of a text, without empty lines. Its cells are
    /// separated by commas, semicolons or tabs, whichever follows the first
    /// cell.
    ///
    /// - Throws: ``Problem``.
    package static func records(of text: String) throws(Problem) -> [Record] {
        var reader = CSVReader(text)
        var records: [Record] = []
        while var record = try reader.next() {
            if record.cells == [""] { continue }
            guard records.count < mostRows else {
                throw Problem(kind: .tooManyRows, line: record.line, limit: mostRows)
            }
            record.cells = record.cells.map(read)
            records.append(record)
        }
        return records
    }
}
