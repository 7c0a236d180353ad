// SPDX-License-Identifier: Apache-2.0

import Metrics
import Synchronization

/// The values of one series, which any thread may change.
protocol MetricInstrument: AnyObject, Sendable {
    /// The type of metric that it can belong to.
    static var kind: MetricDefinition.Kind { get }

    /// Adds its lines to the text.
    func write(_ definition: MetricDefinition, _ labels: [(String, String)], to text: inout PrometheusText)
}

/// A number that never decreases.
final class CounterInstrument: MetricInstrument, CounterHandler {
    static let kind = MetricDefinition.Kind.counter

    private let count = Atomic<UInt64>(0)

    var value: UInt64 { count.load(ordering: .relaxed) }

    /// Ignores negative numbers.
    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        count.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    /// Does nothing: a counter starts again only with its process.
    func reset() {}

    func write(_ definition: MetricDefinition, _ labels: [(String, String)], to text: inout PrometheusText) {
        text.sample(definition.name, labels, String(value))
    }
}

/// A number that is set.
final class GaugeInstrument: MetricInstrument, MeterHandler, RecorderHandler {
    static let kind = MetricDefinition.Kind.gauge

    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
    func increment(by amount: Double) { bits.add(amount) }
    func decrement(by amount: Double) { bits.add(-amount) }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }

    func write(_ definition: MetricDefinition, _ labels: [(String, String)], to text: inout PrometheusText) {
        text.sample(definition.name, labels, PrometheusText.number(value))
    }
}

/// Values in fixed buckets; times are in seconds.
final class HistogramInstrument: MetricInstrument, TimerHandler, RecorderHandler {
    static let kind = MetricDefinition.Kind.histogram

    private let bounds: [Double]
    /// One counter for each bound, and one for larger values.
    private let counts: [CounterInstrument]
    private let sumBits = Atomic<UInt64>(0)

    init(_ bounds: [Double]) {
        self.bounds = bounds
        counts = (0...bounds.count).map { _ in CounterInstrument() }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(max(0, duration)) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    /// Ignores values that aren't finite.
    func record(_ value: Double) {
        guard value.isFinite else { return }
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count].increment(by: 1)
        sumBits.add(value)
    }

    /// Adds the cumulative buckets. The count is that of the last bucket, so
    /// that the two are equal also while values are recorded.
    func write(_ definition: MetricDefinition, _ labels: [(String, String)], to text: inout PrometheusText) {
        var cumulative: UInt64 = 0
        for (bound, count) in zip(bounds + [.infinity], counts) {
            cumulative += count.value
            text.sample(
                definition.name + "_bucket", labels + [("le", PrometheusText.number(bound))], String(cumulative))
        }
        let sum = Double(bitPattern: sumBits.load(ordering: .relaxed))
        text.sample(definition.name + "_sum", labels, PrometheusText.number(sum))
        text.sample(definition.name + "_count", labels, String(cumulative))
    }
}

extension Atomic<UInt64> {
    /// Adds to the number that has this bit pattern.
    fileprivate func add(_ amount: Double) {
        var old = load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (exchanged, original) = weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if exchanged { return }
            old = original
        }
    }
}
