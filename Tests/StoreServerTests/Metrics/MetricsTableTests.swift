// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

@testable import StoreServer

/// Compares the table of `docs/metrics.md` with the metrics of a store.
struct MetricsTableTests {
    private struct Documented: Equatable {
        var type: String
        var labels: [String]
        var unit: String
        var meaning: String
    }

    private static func table() throws -> [String: Documented] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/metrics.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return cells.count == 7 && cells[1].hasPrefix("`") ? cells : nil
        }
        let table = Dictionary(
            rows.map { cells in
                let labels = cells[3].split(separator: ",").map { $0.trimmingCharacters(in: ["`", " "]) }
                let documented = Documented(type: cells[2], labels: labels, unit: cells[4], meaning: cells[5])
                return (cells[1].trimmingCharacters(in: ["`"]), documented)
            }
        ) { first, _ in first }
        try #require(table.count == rows.count)
        return table
    }

    @Test("The table has every metric that a store shows after a purchase, and no other", arguments: Engine.servers)
    func table(engine: Engine) async throws {
        try await engine.withMetrics { metered in
            let store = metered.store
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)
            let password = TestStore.password.replacing(" ", with: "+")
            let bought = try await metered.client.post(
                "/sheet/\(sheet)", "email=\(anna.email)&password=\(password)&decision=buy", headers: .script)
            #expect(bought.status == .ok)

            let scrape = try await metered.scrape()

            let table = try Self.table()
            #expect(Set(scrape.names) == Set(table.keys))
            #expect(scrape.names.count == table.count)
            for (name, documented) in table {
                #expect(scrape.types[name] == documented.type, "\(name)")
                #expect(scrape.help[name] == documented.meaning, "\(name)")
                let samples = scrape.samples(of: name)
                #expect(!samples.isEmpty, "\(name) has no series")
                for sample in samples {
                    #expect(Set(sample.labels.keys).subtracting(["le"]) == Set(documented.labels), "\(name)")
                }
            }
            let known = Set(scrape.names.flatMap { scrape.samples(of: $0).map(\.name) })
            #expect(scrape.samples.allSatisfy { known.contains($0.name) })
            let units = Dictionary(uniqueKeysWithValues: MetricDefinition.store.map { ($0.name, $0.unit) })
            #expect(table.mapValues(\.unit) == units)
        }
    }

    @Test("A metric's name has the suffix of its type and unit")
    func names() {
        for metric in MetricDefinition.store {
            #expect(metric.name.hasPrefix("openstorekit_"))
            #expect(metric.name.hasSuffix("_total") == (metric.kind == .counter), "\(metric.name)")
            #expect(metric.name.hasSuffix("_seconds") == (metric.unit == "seconds"), "\(metric.name)")
            #expect(metric.buckets == metric.buckets.sorted())
            #expect(metric.buckets.isEmpty == (metric.kind != .histogram), "\(metric.name)")
        }
        #expect(Set(MetricDefinition.store.map(\.name)).count == MetricDefinition.store.count)
    }
}
