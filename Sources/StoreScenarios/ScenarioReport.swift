// SPDX-License-Identifier: Apache-2.0

/// The results of some scenarios, for people and as JUnit's XML.
package struct ScenarioReport: Sendable {
    /// The result of one scenario.
    package struct Result: Sendable {
        package var file: String
        /// The scenario's name, or the file's if it can't be read.
        package var name: String
        package var milliseconds: Int64
        package var failure: ScenarioFailure?

        package init(file: String, name: String, milliseconds: Int64, failure: ScenarioFailure?) {
            self.file = file
            self.name = name
            self.milliseconds = milliseconds
            self.failure = failure
        }

        /// One line; that of a failure is in the form that editors open.
        package var line: String {
            guard let failure else { return "passed  \(name) (\(milliseconds) ms)" }
            return "failed  \(name)\n        \(place(failure)): \(failure.description)."
        }

        private func place(_ failure: ScenarioFailure) -> String {
            failure.line.map { "\(file):\($0)" } ?? file
        }

        fileprivate var testCase: String {
            let head =
                "  <testcase name=\"\(name.xmlEscaped)\" classname=\"\(file.xmlEscaped)\" time=\"\(milliseconds.seconds)\""
            guard let failure else { return head + "/>\n" }
            let message = "\(place(failure)): \(failure.description)".xmlEscaped
            return head + ">\n    <failure message=\"\(message)\"/>\n  </testcase>\n"
        }
    }

    package var results: [Result] = []

    package init() {}

    package var failures: Int { results.filter { $0.failure != nil }.count }

    /// The last line: how many have passed.
    package var summary: String { "\(results.count - failures) passed, \(failures) failed" }

    /// The report as build servers read it.
    package var junit: String {
        let time = results.map(\.milliseconds).reduce(0, +).seconds
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="scenarios" tests="\(results.count)" failures="\(failures)" time="\(time)">
            \(results.map(\.testCase).joined())</testsuite>

            """
    }
}

extension Int64 {
    /// The milliseconds as seconds with three decimals.
    fileprivate var seconds: String {
        let rest = String(self % 1000)
        return "\(self / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}

extension String {
    /// The text for an attribute of XML. Characters that XML can't have are left
    /// out.
    fileprivate var xmlEscaped: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += " "
            case _ where scalar.value < 0x20 || (0xFFFE...0xFFFF).contains(scalar.value): continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
