// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// The descriptions of the store's interfaces in OpenAPI 3.1, with which
/// other people's tools make clients, documentation and tests. They are the
/// files in `OpenAPI`, and `Tests/Hostile/test_openapi_…` compare them with
/// the code and with a running store.
struct OpenAPIRoutes {
    /// Whether the store has the remote control.
    let hasControl: Bool

    /// The addresses of the descriptions.
    var paths: [String] {
        (["device", "pages", "server", "connect"] + (hasControl ? ["control"] : [])).map { "/openapi/\($0).json" }
    }

    func add(to router: StoreRouter) {
        router.get("/openapi/device.json") { _, _ in Self.description(PackageResources.device_json) }
        router.get("/openapi/pages.json") { _, _ in Self.description(PackageResources.pages_json) }
        router.get("/openapi/server.json") { _, _ in Self.description(PackageResources.server_json) }
        router.get("/openapi/connect.json") { _, _ in Self.description(PackageResources.connect_json) }
        guard hasControl else { return }
        router.get("/openapi/control.json") { _, _ in Self.description(PackageResources.control_json) }
    }

    private static func description(_ json: [UInt8]) -> Response {
        .file(json, type: "application/json")
    }
}
