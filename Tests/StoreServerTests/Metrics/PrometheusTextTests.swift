// SPDX-License-Identifier: Apache-2.0

import Metrics
import Testing

@testable import StoreServer

/// The backend of swift-metrics, and its text format.
struct PrometheusTextTests {
    private static let metrics = [
        MetricDefinition("a_total", .counter, labels: ["place", "size"], unit: "", help: "Counts \"a\\b\"\nand more."),
        MetricDefinition("b", .gauge, unit: "", help: "A gauge."),
        MetricDefinition("c_seconds", .histogram, labels: ["place"], unit: "", help: "Times.", buckets: [0.1, 1]),
        MetricDefinition("openstorekit_metric_series_dropped_total", .counter, unit: "", help: "Dropped."),
    ]

    @Test("A text has the lines of the format, with escaped labels and help texts")
    func format() {
        let backend = PrometheusMetrics(Self.metrics)
        Counter(label: "a_total", dimensions: [("size", "1"), ("place", "x\\y\"z\n\r\u{301}é")], factory: backend)
            .increment(by: 3)
        Meter(label: "b", factory: backend).set(0.25)
        Metrics.Timer(label: "c_seconds", dimensions: [("place", "here")], factory: backend)
            .recordMilliseconds(500)

        #expect(
            backend.text() == """
                # HELP a_total Counts "a\\\\b"\\nand more.
                # TYPE a_total counter
                a_total{place="x\\\\y\\"z\\n\r\u{301}é",size="1"} 3
                # HELP b A gauge.
                # TYPE b gauge
                b 0.25
                # HELP c_seconds Times.
                # TYPE c_seconds histogram
                c_seconds_bucket{place="here",le="0.1"} 0
                c_seconds_bucket{place="here",le="1"} 1
                c_seconds_bucket{place="here",le="+Inf"} 1
                c_seconds_sum{place="here"} 0.5
                c_seconds_count{place="here"} 1
                # HELP openstorekit_metric_series_dropped_total Dropped.
                # TYPE openstorekit_metric_series_dropped_total counter
                openstorekit_metric_series_dropped_total 0

                """)
    }

    @Test("A quotation mark with a combining mark is escaped too")
    func combining() {
        var text = PrometheusText()
        text.sample("a", [("l", "\"\u{301}\\\u{301}\n\u{301}")], "1")
        #expect(text.text == "a{l=\"\\\"\u{301}\\\\\u{301}\\n\u{301}\"} 1\n")
    }

    @Test(
        "Numbers are written as the format has them",
        arguments: [
            (0, "0"), (3, "3"), (-2, "-2"), (0.0025, "0.0025"), (1e-9, "1e-09"), (1e300, "1e+300"),
            (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
        ] as [(Double, String)])
    func numbers(number: Double, text: String) {
        #expect(PrometheusText.number(number) == text)
    }

    @Test("A histogram's buckets are cumulative, end with +Inf, and contain their upper bounds")
    func buckets() throws {
        let backend = PrometheusMetrics(Self.metrics)
        let recorder = Recorder(label: "c_seconds", dimensions: [("place", "here")], factory: backend)
        for value in [0.05, 0.1, 0.5, 1, 1.5, 100, .infinity, .nan] { recorder.record(value) }
        let scrape = try Scrape(backend.text())

        let buckets = scrape.samples.filter { $0.name == "c_seconds_bucket" }
        #expect(buckets.map { $0.labels["le"] } == ["0.1", "1", "+Inf"])
        #expect(buckets.map(\.value) == [2, 4, 6])
        #expect(try scrape.value("c_seconds_count") == 6)
        #expect(abs(try scrape.value("c_seconds_sum") - 103.15) < 1e-9)
    }

    @Test("A counter never decreases: not by a negative number, a reset, or the end of its object")
    func counters() throws {
        let backend = PrometheusMetrics(Self.metrics)
        func counter() -> Counter {
            Counter(label: "a_total", dimensions: [("place", "x"), ("size", "1")], factory: backend)
        }
        let first = counter()
        first.increment(by: 5)
        first.increment(by: -3)
        #expect(try Scrape(backend.text()).value("a_total") == 5)
        first.reset()
        first.destroy()
        #expect(try Scrape(backend.text()).value("a_total") == 5)
        counter().increment(by: Int64.max)
        counter().increment()
        #expect(try Scrape(backend.text()).value("a_total") > 9e18)
    }

    @Test("Numbers that several threads record at a time are all counted")
    func threads() async throws {
        let backend = PrometheusMetrics(Self.metrics)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    let counter = Counter(
                        label: "a_total", dimensions: [("place", "x"), ("size", "1")], factory: backend)
                    let timer = Metrics.Timer(label: "c_seconds", dimensions: [("place", "x")], factory: backend)
                    for _ in 0..<1000 {
                        counter.increment()
                        timer.recordSeconds(2)
                    }
                }
            }
        }
        let scrape = try Scrape(backend.text())
        #expect(try scrape.value("a_total") == 8000)
        #expect(try scrape.value("c_seconds_count") == 8000)
        #expect(try scrape.value("c_seconds_sum") == 16_000)
    }

    @Test("A metric has a limited number of series, with the labels of its definition")
    func limits() throws {
        let backend = PrometheusMetrics(Self.metrics)
        for number in 0..<(PrometheusMetrics.seriesLimit + 100) {
            Counter(label: "a_total", dimensions: [("place", "\(number)"), ("size", "")], factory: backend)
                .increment()
        }
        Counter(label: "a_total", dimensions: [("place", "x")], factory: backend).increment()
        Counter(label: "a_total", dimensions: [("place", "x"), ("size", ""), ("who", "me")], factory: backend)
            .increment()
        Meter(label: "a_total", dimensions: [("place", "0"), ("size", "")], factory: backend).set(7)
        Counter(label: "unknown_total", factory: backend).increment()

        let scrape = try Scrape(backend.text())
        #expect(scrape.samples(of: "a_total").count == PrometheusMetrics.seriesLimit)
        #expect(scrape.samples(of: "a_total").allSatisfy { $0.value == 1 })
        #expect(try scrape.value("openstorekit_metric_series_dropped_total") == 103)
        #expect(!backend.text().contains("unknown"))
    }
}
