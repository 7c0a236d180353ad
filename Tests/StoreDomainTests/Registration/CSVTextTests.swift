// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport
import Testing

@testable import StoreDomain

/// Tables as text, as spreadsheets read and write them.
struct CSVTextTests {
    private static let cells = [
        "", "plain", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'", "''", "'=1", "it's", "a,b",
        "say \"hi\"", "\"", "line\r\nbreak", "a;b", "é 漢 🍌", " = 1", "\u{202E}x",
    ]

    @Test("Every cell is read as it was written, and none begins a formula", arguments: cells)
    func cell(text: String) throws {
        let line = CSVText.line(["first", text, "last"])
        #expect(try CSVText.records(of: line).map(\.cells) == [["first", text, "last"]])
        let written = line.dropFirst("first,".count)
        let first = written.unicodeScalars.first { $0 != "\"" }
        #expect(first.map { !"=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? true || text.isEmpty)
    }

    @Test("Random cells are read as they were written")
    func random() throws {
        var generator = SeededGenerator(seed: 3)
        let parts = ["'", "\"", ",", ";", "\t", "\r", "\n", "=", "-", "x", "é", " "]
        for _ in 0..<500 {
            let cells = (0..<3).map { _ in
                (0..<Int.random(in: 0...5, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }
                    .joined()
            }
            let records = try CSVText.records(of: "\u{FEFF}" + CSVText.line(["id", "a", "b"]) + CSVText.line(cells))
            #expect(records.map(\.cells) == [["id", "a", "b"]] + (cells == [""] ? [] : [cells]), "\(cells)")
        }
    }

    @Test("Semicolons, tabs, other ends of lines and a byte order mark are read; empty lines are left out")
    func dialects() throws {
        for separator in [",", ";", "\t"] {
            for end in ["\n", "\r\n", "\r"] {
                let text = ["\u{FEFF}a\(separator)b", "", "\"1\"\(separator)'x", "2\(separator)\"y\"\"z\""]
                    .joined(separator: end)
                let records = try CSVText.records(of: text)
                #expect(
                    records.map(\.cells) == [["a", "b"], ["1", "'x"], ["2", "y\"z"]], "\(separator) \(end.count)")
                #expect(records.map(\.line) == [1, 3, 4])
            }
        }
        #expect(try CSVText.records(of: "").isEmpty)
        #expect(try CSVText.records(of: "a,\"b\nc\"\nd,e").map(\.line) == [1, 3])
    }

    @Test("A text that is no table is refused with its line")
    func refused() {
        func problem(_ text: String) -> CSVText.Problem? {
            do {
                _ = try CSVText.records(of: text)
                return nil
            } catch {
                return error
            }
        }
        #expect(problem("a,b\n1,\"x") == CSVText.Problem(kind: .openQuote, line: 2))
        #expect(problem("a,b\n1,\"x\"y") == CSVText.Problem(kind: .afterQuote, line: 2))
        let columns = String(repeating: ",", count: CSVText.mostColumns)
        #expect(problem(columns) == CSVText.Problem(kind: .tooManyColumns, line: 1, limit: CSVText.mostColumns))
        let long = String(repeating: "x", count: CSVText.longestCell + 1)
        #expect(problem("a\n\(long)") == CSVText.Problem(kind: .tooLong, line: 2, limit: CSVText.longestCell))
        let rows = String(repeating: "a\n", count: CSVText.mostRows + 1)
        #expect(problem(rows)?.kind == .tooManyRows)
    }
}
