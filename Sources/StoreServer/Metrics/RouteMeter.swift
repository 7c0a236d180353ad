// SPDX-License-Identifier: Apache-2.0

import Metrics
import Synchronization

/// Counts and times the requests of one route and method.
///
/// Its series are made with the first request that needs them, so that a
/// scrape doesn't contain the routes that no client has used.
final class RouteMeter: Sendable {
    private struct Series {
        var duration: Timer?
        /// One counter for each status that was sent; a route has few.
        var counters: [(status: Int, counter: Counter)] = []
    }

    private let factory: any MetricsFactory
    private let labels: [(String, String)]
    private let series = Mutex(Series())

    init(_ factory: any MetricsFactory, route: String, method: String) {
        self.factory = factory
        labels = [("route", route), ("method", method)]
    }

    /// Counts a request with the status of its response.
    func count(status: Int, duration: Duration) {
        let (counter, timer) = series.withLock { series -> (Counter, Timer) in
            (self.counter(status, &series), self.timer(&series))
        }
        counter.increment()
        timer.recordNanoseconds(Int64(clamping: duration.attoseconds / 1_000_000_000))
    }

    private func counter(_ status: Int, _ series: inout Series) -> Counter {
        if let known = series.counters.first(where: { $0.status == status }) { return known.counter }
        let new = Counter(
            label: MetricDefinition.Name.requests, dimensions: labels + [("status", String(status))], factory: factory)
        series.counters.append((status, new))
        return new
    }

    private func timer(_ series: inout Series) -> Timer {
        if let known = series.duration { return known }
        let new = Timer(label: MetricDefinition.Name.requestDuration, dimensions: labels, factory: factory)
        series.duration = new
        return new
    }
}
