// SPDX-License-Identifier: Apache-2.0

import Testing

/// A text in Prometheus' format, read line by line.
struct Scrape {
    /// A line with a value.
    struct Sample {
        var name: String
        var labels: [String: String]
        var value: Double
    }

    /// The types and the help texts by the metric's name, in the order of the
    /// text.
    private(set) var names: [String] = []
    private(set) var types: [String: String] = [:]
    private(set) var help: [String: String] = [:]
    private(set) var samples: [Sample] = []

    init(_ text: String) throws {
        try #require(text.hasSuffix("\n"))
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# HELP ") {
                let (name, rest) = try Self.halves(line.dropFirst("# HELP ".count))
                names.append(name)
                help[name] = rest
            } else if line.hasPrefix("# TYPE ") {
                let (name, rest) = try Self.halves(line.dropFirst("# TYPE ".count))
                types[name] = rest
            } else {
                samples.append(try Self.sample(line))
            }
        }
    }

    /// The value of the only series with these labels among others.
    func value(_ name: String, _ labels: [String: String] = [:]) throws -> Double {
        let found = samples.filter { sample in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }
        #expect(found.count == 1, "\(name) \(labels) has \(found.count) series")
        return try #require(found.first).value
    }

    /// The lines of a metric; those of a histogram have three names.
    func samples(of metric: String) -> [Sample] {
        let parts = types[metric] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        return samples.filter { sample in parts.contains { metric + $0 == sample.name } }
    }

    private static func halves(_ line: Substring) throws -> (String, String) {
        let space = try #require(line.firstIndex(of: " "))
        return (String(line[..<space]), String(line[line.index(after: space)...]))
    }

    /// Reads `name{label="value",…} 12`. The values of the store's labels
    /// have no comma and no escaped character.
    private static func sample(_ line: Substring) throws -> Sample {
        let space = try #require(line.lastIndex(of: " "))
        let number = line[line.index(after: space)...]
        let value = number == "+Inf" ? .infinity : try #require(Double(String(number)), "\(line)")
        let series = line[..<space]
        guard let brace = series.firstIndex(of: "{") else {
            return Sample(name: String(series), labels: [:], value: value)
        }
        var labels: [String: String] = [:]
        for pair in series[series.index(after: brace)...].dropLast().split(separator: ",") {
            let equals = try #require(pair.firstIndex(of: "="))
            labels[String(pair[..<equals])] = String(pair[pair.index(equals, offsetBy: 2)...].dropLast())
        }
        return Sample(name: String(series[..<brace]), labels: labels, value: value)
    }
}
