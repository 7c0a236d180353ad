// SPDX-License-Identifier: Apache-2.0

/// Reads the records of a table, in their order.
struct CSVReader {
    private let bytes: [UInt8]
    private var place = 0
    private var line = 1
    /// `nil` before the end of the first cell.
    private var separator: UInt8?

    private static let (quote, feed, carriage) = (UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    init(_ text: String) {
        // Spreadsheets write a byte order mark.
        bytes = Array((text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text).utf8)
    }

    /// The next record; `nil` at the end.
    ///
    /// - Throws: ``CSVText/Problem``.
    mutating func next() throws(CSVText.Problem) -> CSVText.Record? {
        guard place < bytes.count else { return nil }
        var record = CSVText.Record(line: line, cells: [])
        while true {
            let cell = try self.cell(record.line)
            guard record.cells.count < CSVText.mostColumns else {
                throw CSVText.Problem(kind: .tooManyColumns, line: record.line, limit: CSVText.mostColumns)
            }
            record.cells.append(cell)
            guard place < bytes.count, isSeparator(bytes[place]) else { break }
            place += 1
        }
        endLine()
        return record
    }

    private mutating func isSeparator(_ byte: UInt8) -> Bool {
        if let separator { return byte == separator }
        guard Self.separators.contains(byte) else { return false }
        separator = byte
        return true
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        if byte == Self.feed || byte == Self.carriage { return true }
        return separator.map { byte == $0 } ?? Self.separators.contains(byte)
    }

    private mutating func cell(_ start: Int) throws(CSVText.Problem) -> String {
        guard place < bytes.count, bytes[place] == Self.quote else {
            let first = place
            while place < bytes.count, !isEnd(bytes[place]) { place += 1 }
            return try text(Array(bytes[first..<place]), start)
        }
        var cell: [UInt8] = []
        place += 1
        while place < bytes.count {
            if bytes[place] == Self.quote {
                place += 1
                guard place < bytes.count, bytes[place] == Self.quote else {
                    guard place == bytes.count || isEnd(bytes[place]) else {
                        throw CSVText.Problem(kind: .afterQuote, line: line)
                    }
                    return try text(cell, start)
                }
            } else if bytes[place] == Self.feed {
                line += 1
            }
            cell.append(bytes[place])
            place += 1
        }
        throw CSVText.Problem(kind: .openQuote, line: start)
    }

    private func text(_ bytes: [UInt8], _ line: Int) throws(CSVText.Problem) -> String {
        guard bytes.count <= CSVText.longestCell else {
            throw CSVText.Problem(kind: .tooLong, line: line, limit: CSVText.longestCell)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Goes on behind the end of the line, which is a line feed, a carriage
    /// return or both.
    private mutating func endLine() {
        guard place < bytes.count else { return }
        if bytes[place] == Self.carriage, place + 1 < bytes.count, bytes[place + 1] == Self.feed { place += 1 }
        place += 1
        line += 1
    }
}
