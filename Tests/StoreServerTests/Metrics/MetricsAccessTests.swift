// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreTestSupport
import Testing

@testable import StoreServer

/// Who may read `/metrics`.
struct MetricsAccessTests {
    /// A store's listener, as `storectl serve` configures it.
    private func application(_ store: TestStore, isShown: Bool) throws -> some ApplicationProtocol {
        var configuration = ServerConfiguration(host: "127.0.0.1", port: 0)
        var metrics = MetricsConfiguration(PrometheusMetrics())
        metrics.isShownToThisMachine = isShown
        configuration.metrics = metrics
        return Application(
            router: try buildRouter(store.service, configuration),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
    }

    /// Runs a test with a client of an application at a port.
    private func withLive(
        _ application: some ApplicationProtocol, _ body: @escaping @Sendable (TestClient) async throws -> Void
    ) async throws {
        try await application.test(.live) { try await $0.withPatience(body) }
    }

    @Test("A store on one machine shows its metrics to that machine, and not to requests that a proxy has forwarded")
    func thisMachine() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await withLive(application(store, isShown: true)) { client in
                let response = try await client.read("/metrics")
                #expect(response.status == .ok)
                #expect(response.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
                #expect(response.text.contains("\nopenstorekit_build_info{version=\"0.1.0\""))
                for field in ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"] {
                    let name = try #require(HTTPField.Name(field))
                    let forwarded = try await client.read("/metrics", headers: [name: "127.0.0.1"])
                    #expect(forwarded.status == .notFound && forwarded.code == "not-found", "\(field)")
                }
                let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
                #expect(try await client.read("/metrics", headers: [site: "cross-site"]).status == .forbidden)
            }
        }
    }

    @Test("A store that strangers reach has no metrics at its own address")
    func strangers() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await withLive(application(store, isShown: false)) { client in
                let response = try await client.read("/metrics")
                #expect(response.status == .notFound && response.code == "not-found")
            }
            // A request without a network address isn't from this machine.
            try await application(store, isShown: true).test(.router) { client in
                let response = try await client.get("/metrics")
                #expect(response.status == .notFound)
            }
        }
    }

    @Test("The listener for metrics serves nothing else, and only its own names")
    func listener() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let gauges = StoreGauges(store.service, PrometheusMetrics())
            for (name, isAllowed) in [("localhost", true), ("metrics.example", false)] {
                let router = MetricsListener.router(
                    .init(host: "localhost", port: 0, hosts: AllowedHosts([name], allowsAddresses: false)), gauges,
                    store.service)
                try await Application(router: router, logger: .silent).test(.router) { client in
                    let response = try await client.get("/metrics")
                    #expect(response.status == (isAllowed ? .ok : .forbidden))
                    guard isAllowed else { return }
                    let posted = try await client.post("/metrics", "")
                    #expect(posted.status == .methodNotAllowed)
                    for path in [
                        "/", "/healthz", "/device/v1/queue", "/control/v1/refund", "/sheet/x", "/pki/root.pem",
                    ] {
                        let read = try await client.get(path)
                        let written = try await client.post(path, "{}")
                        #expect(read.status == .notFound && written.status == .notFound, "\(path)")
                    }
                }
            }
        }
    }

    @Test(
        "Loopback addresses are those of this machine",
        arguments: [
            ("127.0.0.1", true), ("127.8.9.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.1", false),
            ("128.0.0.1", false), ("::2", false), ("fe80::1", false), ("0.0.0.0", false), ("::", false),
        ])
    func loopback(address: String, isLoopback: Bool) throws {
        let parsed = try #require(NetworkAddress(address))
        #expect(parsed.isLoopback == isLoopback)
    }
}
