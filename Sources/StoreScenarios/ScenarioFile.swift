// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Yams

/// Reads the YAML of a scenario.
package enum ScenarioFile {
    /// The limits of a file. The parser descends a level for each bracket and
    /// each indentation, so these bound its depth, too.
    package static let bytes = 256 << 10
    static let lineLength = 1000
    static let openBrackets = 50
    package static let steps = 1000

    /// Reads a scenario.
    ///
    /// - Throws: ``ScenarioFailure`` with the line.
    package static func scenario(_ data: Data) throws -> Scenario {
        guard data.count <= bytes else { throw ScenarioFailure("the file has more than \(bytes) bytes") }
        guard let text = String(data: data, encoding: .utf8) else { throw ScenarioFailure("the file isn't UTF-8") }
        try checkLines(text)
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw failure(error)
        }
        guard let root else {
            throw ScenarioFailure("the file is empty: it needs name, why, bundle and steps", line: 1)
        }
        return try ScenarioReader(root).scenario()
    }

    /// Refuses lines and brackets that make the parser descend too far, and
    /// anchors: a few lines of them can stand for a value of any size.
    private static func checkLines(_ text: String) throws {
        var open = 0
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.utf8.count <= lineLength else {
                throw ScenarioFailure("the line has more than \(lineLength) bytes", line: index + 1)
            }
            for byte in line.utf8 {
                if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { open += 1 }
                if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { open = max(0, open - 1) }
            }
            guard open <= openBrackets else {
                throw ScenarioFailure("more than \(openBrackets) brackets are open", line: index + 1)
            }
            guard !hasAnchor(line) else {
                throw ScenarioFailure("a scenario has no anchors: write the value twice", line: index + 1)
            }
        }
    }

    /// Whether a line has an ampersand where a node begins.
    private static func hasAnchor(_ line: Substring) -> Bool {
        line.indices.contains { index in
            guard line[index] == "&" else { return false }
            let before = line[..<index].last { $0 != " " }
            return before.map { ":-,[{?".contains($0) } ?? true
        }
    }

    private static func failure(_ error: YamlError) -> ScenarioFailure {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ScenarioFailure("it isn't YAML: \(problem)", line: mark.line)
        case .duplicatedKeysInMapping(let keys, let context):
            ScenarioFailure("the key \(keys.joined(separator: ", ")) stands twice", line: context.mark.line)
        default: ScenarioFailure("it isn't YAML")
        }
    }
}
