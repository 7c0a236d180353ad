// SPDX-License-Identifier: Apache-2.0

/// A text in Prometheus' exposition format, version 0.0.4:
///
///     # HELP name text
///     # TYPE name counter
///     name{label="value",other="value"} 12
///
/// `\` and a new line are escaped in the help text and in the values of
/// labels, `"` in the latter only.
struct PrometheusText {
    /// The media type of a response with such a text.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func begin(_ definition: MetricDefinition) {
        text += "# HELP \(definition.name) \(Self.escaped(definition.help, quotes: false))\n"
        text += "# TYPE \(definition.name) \(definition.kind.rawValue)\n"
    }

    /// Adds a line with a value.
    mutating func sample(_ name: String, _ labels: [(String, String)], _ value: String) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    /// A number as the format has it: `3`, `0.25`, `+Inf`, `-Inf` or `NaN`.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? String(value)
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
            case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
            case "\"" where quotes: escaped.append(contentsOf: "\\\"".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
