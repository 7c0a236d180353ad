// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain
import StoreService

/// `/healthz`: whether the process lives and its database answers.
struct HealthRoutes {
    let service: StoreService

    private struct Health: Encodable {
        var status: String
        var environment: String
    }

    func add(to router: Router<BasicRequestContext>) {
        router.get("/healthz") { _, _ -> Response in
            try await service.context.check()
            return .json(Health(status: "ok", environment: service.environment.rawValue))
        }
    }
}
