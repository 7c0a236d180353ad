// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreTestSupport
import Testing

/// `/openapi/…`, and the refused methods of all paths.
/// `Tests/Hostile/test_openapi_…` compare them with a running store.
struct OpenAPIRouteTests {
    @Test("The descriptions are served in OpenAPI 3.1")
    func theDescriptionsAreServed() async throws {
        try await Engine.sqliteMemory.withControl { _, client in
            for name in ["device", "pages", "server", "control", "connect"] {
                let response = try await client.get("/openapi/\(name).json")
                #expect(response.status == .ok)
                #expect(response.headers[.contentType] == "application/json")
                let description = try response.object()
                #expect(description["openapi"] as? String == "3.1.0")
                let paths = try #require(description["paths"] as? [String: Any])
                #expect(!paths.isEmpty)
            }
        }
    }

    @Test("A store without the remote control doesn't describe it")
    func theRemoteControlIsDescribedWhereItIs() async throws {
        try await Engine.sqliteMemory.withHTTP { _, client in
            let (control, device) = (
                try await client.get("/openapi/control.json"), try await client.get("/openapi/device.json")
            )
            #expect(control.status == .notFound)
            #expect(device.status == .ok)
        }
    }

    @Test(
        "A method that a path doesn't take is refused with those that it takes",
        arguments: [
            ("/device/v1/queue", "POST"), ("/device/v1/events", "POST"), ("/control/v1/refund", "POST"),
            ("/control/v1/content-uploads/1/0", "POST"), ("/sheet/token", "GET, POST"),
            ("/sheet/token/closed", "POST"), ("/account/subscriptions", "GET, POST"),
            ("/inApps/v1/transactions/1", "GET"), ("/inApps/v1/transactions/1/finish", "POST"),
            ("/inApps/v1/lookup/1", "GET"), ("/inApps/v1/subscriptions/extend/mass/a/b", "GET"),
            ("/sandbox/payments/1", "GET, POST"), ("/content/1/2/3", "GET, HEAD"), ("/openapi/device.json", "GET"),
            ("/connect/v1/team", "GET"), ("/connect/v1/users/a", "GET, PATCH, DELETE"), ("/sheet/sheet.js", "GET"),
            ("/inApps/v1/subscriptions/extend/mass", "POST"),
        ])
    func refusedMethodsNameTheAllowedOnes(path: String, allowed: String) async throws {
        try await Engine.sqliteMemory.withControl { _, client in
            let methods: [HTTPRequest.Method] = [.head, .put, .delete, .patch, .options, .trace]
            for method in methods where !allowed.contains(method.rawValue) {
                let response = try await client.executeRequest(
                    uri: path, method: method, headers: [:], body: ByteBuffer())
                #expect(response.status == .methodNotAllowed, "\(method) \(path)")
                #expect(response.code == "method-not-allowed")
                #expect(response.headers[.allow] == allowed)
            }
        }
    }
}
