// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdTesting
import StoreDomain
import StoreTestSupport

@testable import StoreServer

/// A store behind its real router, with metrics of its own.
struct MeteredStore: Sendable {
    let store: TestStore
    let backend: PrometheusMetrics
    let gauges: StoreGauges
    let client: any TestClientProtocol

    /// Reads the metrics as the listener of `--metrics-listen` returns them.
    func scrape() async throws -> Scrape {
        let router = MetricsListener.router(.init(host: "localhost", port: 0), gauges, store.service)
        return try await Application(router: router, logger: .silent).test(.router) { client in
            try Scrape(try await client.get("/metrics").text)
        }
    }
}

extension Engine {
    /// Runs a test with a store whose metrics are read.
    func withMetrics(
        provider: (any PaymentProvider)? = nil, _ body: @Sendable @escaping (MeteredStore) async throws -> Void
    ) async throws {
        try await withDatabase(hasTables: true) { database in
            let backend = PrometheusMetrics()
            let store = try await TestStore(database, provider: provider, metrics: backend)
            var configuration = ServerConfiguration(host: "localhost", port: 0)
            configuration.metrics = MetricsConfiguration(backend)
            let gauges = StoreGauges(store.service, backend)
            let router = try buildRouter(store.service, configuration)
            try await Application(router: router, logger: .silent).test(.router) { client in
                try await body(MeteredStore(store: store, backend: backend, gauges: gauges, client: client))
            }
        }
    }
}
