// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain
import StoreService

/// `/healthz` answers 200 while the process runs. `/readyz` answers 200 when
/// the database can be written and has this version's schema, and 503
/// otherwise.
struct HealthRoutes {
    let service: StoreService
    let node: ServingNode

    private struct Health: Encodable {
        var status: String
        var environment: String
    }

    func add(to router: StoreRouter) {
        router.get("/healthz") { _, _ in health("ok", .ok) }
        router.get("/readyz") { _, _ in
            await node.isReady() ? health("ready", .ok) : health("not ready", .serviceUnavailable)
        }
    }

    private func health(_ status: String, _ code: HTTPResponse.Status) -> Response {
        var response = Response.json(
            Health(status: status, environment: service.environment.rawValue), status: code)
        if code != .ok { response.headers[.retryAfter] = "5" }
        return response
    }
}
