// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreTestSupport
import Testing

/// The device protocol over HTTP: bad input gets a 4xx with a stable code.
struct DeviceRouteTests {
    @Test(
        "Malformed bodies are 400 malformed on every route",
        arguments: StorePath.all.filter { $0 != .register && $0 != .signOut } + [.events], Engine.servers)
    func malformed(path: StorePath, engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice()
            for body in [
                "", "{", "[]", "null", "{\"requestIdentifier\": 5}", "\u{0}", String(repeating: "[", count: 20_000),
            ] {
                let response = try await client.post("/device/v1/\(path.rawValue)", body, headers: device.headers)
                #expect(response.status == .badRequest, "\(body.prefix(20))")
                #expect(response.code == "malformed", "\(body.prefix(20))")
            }
        }
    }

    @Test("A message without credentials is refused as credentials-missing", arguments: Engine.servers)
    func aMessageWithoutCredentialsIsRefused(engine: Engine) async throws {
        try await engine.withHTTP { _, client in
            for authorization in ["", "Bearer x", "Device 12:34", "Device"] {
                let response = try await client.post(
                    "/device/v1/queue", "{\"bundleIdentifier\":\"a\"}", headers: [.authorization: authorization])
                #expect(response.status == .unauthorized)
                #expect(response.code == "credentials-missing")
            }
        }
    }

    @Test("An unknown device is refused as unknown-device", arguments: Engine.servers)
    func anUnknownDeviceIsToldToRegister(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let stranger = TestDevice(number: 5, store: store)
            let response = try await client.post(
                "/device/v1/queue", "{\"bundleIdentifier\":\"a\"}", headers: stranger.headers)
            #expect(response.status == .unauthorized)
            #expect(response.code == "unknown-device")
        }
    }

    @Test("A second secret for a registered identifier is refused as device-taken", arguments: Engine.servers)
    func anIdentifierIsRegisteredUnderOneSecret(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice(5)
            let thief = DeviceCredentials(
                identifier: device.credentials.identifier, secret: String(repeating: "ab", count: 32))
            let response = try await client.post(
                "/device/v1/register", "{}", headers: [.authorization: thief.authorization])
            #expect(response.status == .conflict)
            #expect(response.code == "device-taken")
        }
    }

    @Test("Unknown paths and methods are refused with codes", arguments: Engine.servers)
    func unknownPathsAndMethodsHaveCodes(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice()
            #expect(try await client.get("/nowhere").code == "not-found")
            #expect(try await client.get("/device/v1/queue", headers: device.headers).code == "method-not-allowed")
            #expect(try await client.get("/device/v1/events", headers: device.headers).status == .methodNotAllowed)
        }
    }

    @Test("A body of more than a megabyte is refused as too-large", arguments: Engine.servers)
    func aBodyThatIsTooLargeIsRefused(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice()
            let response = try await client.post(
                "/device/v1/queue", String(repeating: " ", count: (1 << 20) + 1), headers: device.headers)
            #expect(response.status == .contentTooLarge)
            #expect(response.code == "too-large")
        }
    }

    @Test("A call with 2,001 product identifiers is refused as invalid", arguments: Engine.servers)
    func tooManyIdentifiersAreRefused(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice()
            let body = try StoreCoding.encode(
                ProductsCall(
                    bundleIdentifier: "a", productIdentifiers: (0...2000).map { "p\($0)" }, languages: []))
            let response = try await client.post(
                "/device/v1/products", String(decoding: body, as: UTF8.self), headers: device.headers)
            #expect(response.status == .badRequest)
            #expect(response.code == "invalid")
        }
    }

    @Test("A NUL in an identifier is no server error on any route", arguments: Engine.servers)
    func aNULInAnIdentifierIsRefusedNotAnError(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let device = try await store.addDevice()
            for path in ["payments", "products", "queue", "finish", "restore", "receipt"] {
                let response = try await client.post(
                    "/device/v1/\(path)",
                    """
                    {"requestIdentifier":"a\\u0000","bundleIdentifier":"b\\u0000","productIdentifier":"c\\u0000",
                     "productIdentifiers":["d\\u0000"],"languages":[],"quantity":1,"simulatesAskToBuy":false,
                     "transactionIdentifier":"e\\u0000","page":0,"applicationVersion":"1","mayAskToSignIn":false}
                    """, headers: device.headers)
                #expect(response.status.code < 500, "\(path): \(response.text)")
            }
        }
    }

    @Test("The health route answers ok", arguments: Engine.servers)
    func healthIsTold(engine: Engine) async throws {
        try await engine.withHTTP { _, client in
            let response = try await client.get("/healthz")
            #expect(response.status == .ok)
            #expect(try response.object()["status"] as? String == "ok")
        }
    }
}
