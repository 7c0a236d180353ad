// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import StoreAPI
import StoreService

/// `/metrics`: the store's metrics in Prometheus' text format.
struct MetricsRoutes {
    let gauges: StoreGauges

    /// Serves every client of a listener that is only for metrics.
    func add(to router: StoreRouter) {
        router.get("/metrics") { _, _ in await answer() }
    }

    /// Serves processes of this machine, on a listener that has other clients.
    /// Others get the answer for a path that doesn't exist.
    func addForThisMachine(to router: StoreRouter, publicURL: String) {
        router.get("/metrics") { request, context in
            guard context.remoteAddress?.isLoopback == true, !request.wasForwarded else {
                throw StoreFailure(.notFound, "There is nothing at /metrics.")
            }
            try request.refuseOtherOrigins(of: publicURL)
            return await answer()
        }
    }

    private func answer() async -> Response {
        Response(
            status: .ok, headers: [.contentType: PrometheusText.contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: await gauges.text())))
    }
}

extension Request {
    /// Whether a proxy says that it has forwarded the request for a client
    /// (RFC 7239; RFC 9110, section 7.6.3).
    fileprivate var wasForwarded: Bool {
        ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"].contains { name in
            HTTPField.Name(name).map { headers[$0] != nil } ?? false
        }
    }
}
