// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreService
import StoreTestSupport
import Testing

/// The event stream over HTTP.
struct EventRouteTests {
    @Test("Each event of a stream has the place of its app as its id", arguments: Engine.servers)
    func places(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let phone = try await store.addDevice()
            // The stream ends when there is nothing more to send.
            store.service.hub.close()
            let body = """
                {"apps":[{"bundleIdentifier":"com.example.unknown"},
                         {"bundleIdentifier":"\(TestStore.bundleIdentifier)","newsNumber":0}]}
                """
            let response = try await client.post("/device/v1/events", body, headers: phone.headers)

            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "text/event-stream")
            let blocks = response.text.components(separatedBy: "\n\n").map { $0.components(separatedBy: "\n") }
            #expect(blocks.first == [": open"])
            let heads = blocks.dropFirst().dropLast().map { $0.prefix(2).joined(separator: " ") }
            #expect(heads == ["id: 0 event: refused", "id: 1 event: opened", "id: 1 event: snapshot"])
        }
    }

    @Test(
        "A request without its apps is refused, and holds no stream",
        arguments: [
            ("{}", "malformed"), ("{\"apps\":[]}", "invalid"), ("{\"apps\":[{}]}", "malformed"),
            ("{\"apps\":[{\"bundleIdentifier\":\"\"}]}", "invalid"),
            ("{\"apps\":[{\"bundleIdentifier\":\"a\\u0000\"}]}", "invalid"),
            ("{\"apps\":[{\"bundleIdentifier\":\"a\",\"newsNumber\":1e300}]}", "malformed"),
            ("{\"apps\":[{\"bundleIdentifier\":\"a\"},{\"bundleIdentifier\":\"a\"}]}", "invalid"),
            ("{\"apps\":[{\"bundleIdentifier\":\"a\",\"position\":{\"account\":\"\",\"number\":1}}]}", "invalid"),
            ("{\"apps\":{\"bundleIdentifier\":\"a\"}}", "malformed"),
        ])
    func refusals(body: String, code: String) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let phone = try await store.addDevice()
            let response = try await client.post("/device/v1/events", body, headers: phone.headers)
            #expect(response.code == code, "\(response.text)")
            #expect(store.service.openStreams == 0)
        }
    }

    @Test("A request of an unknown device is refused before its body is read")
    func unknownDevice() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let stranger = TestDevice(number: 5, store: store)
            let response = try await client.post("/device/v1/events", "{", headers: stranger.headers)
            #expect(response.status == .unauthorized && response.code == "unknown-device")
        }
    }

    @Test("A body of more than 256 KiB is refused as too-large")
    func largeBody() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let phone = try await store.addDevice()
            let response = try await client.post(
                "/device/v1/events", String(repeating: " ", count: (256 << 10) + 1), headers: phone.headers)
            #expect(response.status == .contentTooLarge && response.code == "too-large")
        }
    }
}
