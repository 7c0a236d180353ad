// SPDX-License-Identifier: Apache-2.0

package import Metrics
import Synchronization

/// A metrics backend that shows its values in Prometheus' text format, version
/// 0.0.4.
///
/// Counters, meters, recorders and timers are made by name and labels: those
/// of the same name and labels share one series. To make one takes a lock. To
/// record a value is one or a few atomic operations.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// let requests = Counter(label: name, dimensions: [("route", "/healthz")], factory: metrics)
/// requests.increment()
/// let text = metrics.text()
/// ```
package final class PrometheusMetrics: MetricsFactory {
    /// The number of series that a metric may have. Later series are counted
    /// and not shown.
    static let seriesLimit = 1000

    private let definitions: [MetricDefinition]
    private let byName: [String: MetricDefinition]
    /// The instruments by metric and by the values of its labels.
    private let series = Mutex<[String: [[String]: any MetricInstrument]]>([:])
    private let dropped = CounterInstrument()

    package init(_ definitions: [MetricDefinition] = MetricDefinition.store) {
        self.definitions = definitions.sorted { $0.name < $1.name }
        byName = Dictionary(definitions.map { ($0.name, $0) }) { first, _ in first }
        if let definition = byName[MetricDefinition.Name.droppedSeries] {
            series.withLock { $0[definition.name] = [[]: dropped] }
        }
    }

    /// All series in Prometheus' text format, sorted by name and labels.
    package func text() -> String {
        let shown = series.withLock { $0 }
        var text = PrometheusText()
        for definition in definitions {
            text.begin(definition)
            let ordered = (shown[definition.name] ?? [:]).sorted { $0.key.lexicographicallyPrecedes($1.key) }
            for (values, instrument) in ordered {
                instrument.write(definition, Array(zip(definition.labels, values)), to: &text)
            }
        }
        return text.text
    }

    /// Returns the series of a name and labels, and makes it if there is none;
    /// `nil` for a metric without a definition, of another type or with other
    /// labels, and for one series too many.
    private func instrument<Instrument: MetricInstrument>(
        _ name: String, _ dimensions: [(String, String)], _ make: (MetricDefinition) -> Instrument
    ) -> Instrument? {
        guard let definition = byName[name] else { return nil }
        let values = definition.labels.compactMap { label in dimensions.first { $0.0 == label }?.1 }
        guard values.count == definition.labels.count, values.count == dimensions.count else {
            dropped.increment(by: 1)
            return nil
        }
        let found = series.withLock { series -> Instrument? in
            if let known = series[name]?[values] { return known as? Instrument }
            guard definition.kind == Instrument.kind, series[name, default: [:]].count < Self.seriesLimit else {
                return nil
            }
            let made = make(definition)
            series[name, default: [:]][values] = made
            return made
        }
        if found == nil { dropped.increment(by: 1) }
        return found
    }

    // MARK: - MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        instrument(label, dimensions) { _ in CounterInstrument() } ?? NOOPMetricsHandler.instance
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        instrument(label, dimensions) { _ in GaugeInstrument() } ?? NOOPMetricsHandler.instance
    }

    /// A histogram, or for `aggregate: false` a gauge.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else {
            return instrument(label, dimensions) { _ in GaugeInstrument() } ?? NOOPMetricsHandler.instance
        }
        return instrument(label, dimensions) { HistogramInstrument($0.buckets) } ?? NOOPMetricsHandler.instance
    }

    /// A histogram in seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        instrument(label, dimensions) { HistogramInstrument($0.buckets) } ?? NOOPMetricsHandler.instance
    }

    /// Does nothing: a series is shown until the process ends, because
    /// Prometheus would count a counter that begins again at 0 twice.
    package func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing.
    package func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing.
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing.
    package func destroyTimer(_ handler: any TimerHandler) {}
}
