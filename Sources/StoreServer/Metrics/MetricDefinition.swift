// SPDX-License-Identifier: Apache-2.0

/// A metric that a server may show: its name, type and labels.
///
/// Metrics without a definition aren't shown, and a series has exactly the
/// labels of its metric's definition. A label has values of a fixed list or of
/// the program, such as the template of a route: never an identifier of a
/// customer, a device or an app, and no text that a client has sent.
package struct MetricDefinition: Hashable, Sendable {
    /// The types of Prometheus' text format that the store uses.
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    package var name: String
    package var kind: Kind
    package var labels: [String]
    /// The objects that are counted, or the unit of a measurement.
    package var unit: String
    /// The text of the line `# HELP`.
    package var help: String
    /// The upper bounds of a histogram's buckets, ascending, without +Inf.
    package var buckets: [Double]

    package init(
        _ name: String, _ kind: Kind, labels: [String] = [], unit: String, help: String, buckets: [Double] = []
    ) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.unit = unit
        self.help = help
        self.buckets = buckets
    }
}
