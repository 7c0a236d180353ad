// SPDX-License-Identifier: Apache-2.0

/// The changes that a table of prices and texts makes in the products of an
/// app, value by value, and the cells that can't be saved.
package struct TableDiff: Hashable, Sendable {
    /// A cell, a column or a row that can't be read or saved.
    package struct Problem: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Hashable, Sendable {
            /// The text is no table.
            case openQuote = "open-quote"
            case afterQuote = "after-quote"
            case tooManyRows = "too-many-rows"
            case tooManyColumns = "too-many-columns"
            /// There is no column with product identifiers.
            case noIdentifiers = "no-identifiers"
            case unknownColumn = "unknown-column"
            case repeatedColumn = "repeated-column"
            /// The row has more cells than there are columns.
            case extraCells = "extra-cells"
            case unknownProduct = "unknown-product"
            case repeatedProduct = "repeated-product"
            case missing
            case malformed
            case tooLong = "too-long"
            /// The text isn't a price.
            case price
            /// The price of a subscription is changed elsewhere.
            case fixedPrice = "fixed-price"
            /// The app would have more than ``Problem/limit`` MB of texts, prices and offers.
            case tooLarge = "too-large"
        }

        package var kind: Kind
        /// The line of the file, from 1.
        package var line: Int
        /// The name of the column; `nil` for a problem of the whole line.
        package var column: String?
        package var limit: Int?
    }

    package private(set) var changes: [AppFileDiff.Change] = []
    package private(set) var problems: [Problem] = []
    /// The changed products.
    private(set) var products: [ProductRegistration] = []

    /// The most problems that are collected.
    package static let mostProblems = 100

    package var isEmpty: Bool { changes.isEmpty }

    /// The version of the changes: another one if any value differs.
    package var version: String { AppFileDiff.version(of: changes) }

    /// The changes for the log.
    var text: String { AppFileDiff.text(of: changes) }

    /// Compares the text of a table with the products of an app.
    init(of text: String, over state: AppState) {
        let records: [CSVText.Record]
        do {
            records = try CSVText.records(of: text)
        } catch {
            let kind = Problem.Kind(rawValue: error.kind.rawValue) ?? .malformed
            problems = [Problem(kind: kind, line: error.line, limit: error.limit)]
            return
        }
        guard let columns = columns(of: records.first, state.languages) else { return }
        let known = Dictionary(state.products.map { ($0.product.productIdentifier.rawValue, $0) }) { first, _ in first }
        var seen: Set<String> = []
        for record in records.dropFirst() where problems.count < Self.mostProblems {
            read(record, columns, known, &seen)
        }
        if !state.hasRoom(for: products.map(\.product)) {
            problems.append(Problem(kind: .tooLarge, line: 1, limit: AppCatalogue.largest >> 20))
        }
        problems = Array(problems.prefix(Self.mostProblems))
    }

    private mutating func columns(of record: CSVText.Record?, _ locales: Set<String>) -> [ProductTable.Column]? {
        var columns: [ProductTable.Column] = []
        // A spreadsheet may leave empty cells at the end.
        let names = (record?.cells ?? []).reversed().drop { $0.isEmpty }.reversed()
        for name in names {
            guard let column = ProductTable.Column(name, locales: locales) else {
                problems.append(Problem(kind: .unknownColumn, line: 1, column: name))
                continue
            }
            if columns.contains(column) { problems.append(Problem(kind: .repeatedColumn, line: 1, column: name)) }
            columns.append(column)
        }
        if !columns.contains(.identifier) {
            problems.append(Problem(kind: .noIdentifiers, line: 1, column: ProductTable.Column.identifier.name))
        }
        return problems.isEmpty ? columns : nil
    }

    private mutating func read(
        _ record: CSVText.Record, _ columns: [ProductTable.Column], _ known: [String: ProductRegistration],
        _ seen: inout Set<String>
    ) {
        guard record.cells.dropFirst(columns.count).allSatisfy(\.isEmpty) else {
            return problems.append(Problem(kind: .extraCells, line: record.line, limit: columns.count))
        }
        let cells = Dictionary(zip(columns, record.cells)) { first, _ in first }
        let identifier = (cells[.identifier] ?? "").trimmingWhitespace()
        guard let before = known[identifier] else {
            return problems.append(
                Problem(
                    kind: identifier.isEmpty ? .missing : .unknownProduct, line: record.line,
                    column: ProductTable.Column.identifier.name))
        }
        guard seen.insert(identifier).inserted else {
            return problems.append(
                Problem(
                    kind: .repeatedProduct, line: record.line, column: ProductTable.Column.identifier.name))
        }
        var row = TableRow(before, line: record.line)
        for column in columns { if let cell = cells[column] { row.set(column, to: cell) } }
        row.finish()
        problems += row.problems
        let values = ValueChange.between(before.fileValues, row.product.fileValues)
        guard !values.isEmpty else { return }
        products.append(row.product)
        changes.append(
            AppFileDiff.Change(
                subject: .product(before.product.productIdentifier), kind: .changed, values: values))
    }
}
