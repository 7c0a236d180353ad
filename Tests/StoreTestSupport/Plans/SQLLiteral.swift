// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A string literal of the source code that is a statement.
package struct SQLLiteral: Sendable {
    /// The file's path below its module, and the line of the literal.
    package var place: String
    /// The text between the literal's interpolations.
    package var parts: [String]

    /// The length of the text that a statement of this literal must have.
    package var length: Int { parts.reduce(0) { $0 + $1.count } }

    /// Whether a statement may have been made by this literal: any text may
    /// stand in the place of an interpolation.
    package func matches(_ statement: String) -> Bool {
        guard let first = parts.first, let last = parts.last, statement.hasPrefix(first) else { return false }
        guard parts.count > 1 else { return statement == first }
        var rest = statement.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    /// The statements of `StoreDomain` that run more than once: all but those
    /// of migrations.
    package static func ofStoreDomain() throws -> [SQLLiteral] { try of("StoreDomain") }

    /// The statements of `StoreAgent` that run more than once.
    package static func ofStoreAgent() throws -> [SQLLiteral] { try of("StoreAgent") }

    private static func of(_ name: String) throws -> [SQLLiteral] {
        let module = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/\(name)").standardizedFileURL
        let files = FileManager.default.enumerator(at: module, includingPropertiesForKeys: nil)
        var found: [SQLLiteral] = []
        while let file = files?.nextObject() as? URL {
            let path = String(file.standardizedFileURL.path.dropFirst(module.path.count + 1))
            guard path.hasSuffix(".swift"), !path.isOfMigrations else { continue }
            found += statements(in: try String(contentsOf: file, encoding: .utf8), file: path)
        }
        return found
    }

    package static func statements(in source: String, file: String) -> [SQLLiteral] {
        var scanner = LiteralScanner(source)
        var found: [SQLLiteral] = []
        while let literal = scanner.next() {
            guard let start = literal.parts.first, start.isStatement else { continue }
            found.append(SQLLiteral(place: "\(file):\(literal.line)", parts: literal.parts))
        }
        return found
    }
}

extension String {
    /// Whether the text is that of a statement that reads or changes rows.
    package var isStatement: Bool {
        ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains { hasPrefix("\($0) ") }
    }

    /// Whether a file has the migrations of the store or of the journal.
    fileprivate var isOfMigrations: Bool {
        wholeMatch(of: /Schema\/[0-9]+-.*/) != nil || hasPrefix("Journal/Schema/")
    }
}

/// Reads the string literals of a Swift file, without raw ones.
private struct LiteralScanner {
    private let text: [Character]
    private var place = 0
    private var line = 1

    init(_ source: String) {
        text = Array(source)
    }

    mutating func next() -> (line: Int, parts: [String])? {
        while place < text.count {
            if has("//") {
                while place < text.count, text[place] != "\n" { place += 1 }
            } else if has("\"\"\"") {
                return (line, literal(endsWith: "\"\"\""))
            } else if text[place] == "\"" {
                return (line, literal(endsWith: "\""))
            } else {
                step()
            }
        }
        return nil
    }

    private func has(_ word: String) -> Bool {
        text[place...].starts(with: word)
    }

    private mutating func step() {
        if text[place] == "\n" { line += 1 }
        place += 1
    }

    /// Reads a literal: its text, split where it has an interpolation.
    private mutating func literal(endsWith end: String) -> [String] {
        place += end.count
        var parts = [""]
        while place < text.count, !has(end) {
            if has("\\(") {
                skipInterpolation()
                parts.append("")
            } else {
                let isEscape = text[place] == "\\"
                parts[parts.count - 1].append(text[place])
                step()
                if isEscape, place < text.count {
                    parts[parts.count - 1].append(text[place])
                    step()
                }
            }
        }
        // The indentation of the closing delimiter belongs to no line.
        let indentation = parts[parts.count - 1].reversed().prefix { $0 == " " }.count
        place += end.count
        return end.count == 1 ? parts : Self.unindented(parts, by: indentation)
    }

    private mutating func skipInterpolation() {
        var depth = 0
        repeat {
            if text[place] == "(" { depth += 1 }
            if text[place] == ")" { depth -= 1 }
            step()
        } while depth > 0 || text[place - 1] == "\\"
    }

    private static func unindented(_ parts: [String], by indentation: Int) -> [String] {
        var parts = parts.map { $0.replacing("\n" + String(repeating: " ", count: indentation), with: "\n") }
        if parts[0].first == "\n" { parts[0].removeFirst() }
        if parts[parts.count - 1].last == "\n" { parts[parts.count - 1].removeLast() }
        return parts
    }
}
