// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreAPI
import StoreServer
import StoreTestSupport
import Testing

extension Engine {
    /// A store behind its real router, without a port.
    func withHTTP(_ body: @Sendable @escaping (TestStore, any TestClientProtocol) async throws -> Void) async throws {
        try await withStore { store in try await store.withHTTP { try await body(store, $0) } }
    }

    /// A store behind its real router that sends notifications to a receiver of
    /// the test.
    func withHTTP(
        notifications: RecordedNotifications,
        _ body: @Sendable @escaping (TestStore, any TestClientProtocol) async throws -> Void
    ) async throws {
        try await withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: notifications)
            try await store.withHTTP { try await body(store, $0) }
        }
    }
}

extension Engine {
    /// A store behind its real router, without a port, with its remote control.
    func withControl(
        _ body: @Sendable @escaping (TestStore, any TestClientProtocol) async throws -> Void
    ) async throws {
        try await withStore { store in
            var configuration = ServerConfiguration(host: "localhost", port: 0)
            configuration.control = ControlAccess(token: "secret")
            let application = Application(router: try buildRouter(store.service, configuration), logger: .silent)
            try await application.test(.router) { try await body(store, $0) }
        }
    }
}

extension TestStore {
    /// Runs a test with a client of the store's real router, without a port.
    func withHTTP(
        _ configuration: ServerConfiguration = ServerConfiguration(host: "localhost", port: 0),
        _ body: @Sendable @escaping (any TestClientProtocol) async throws -> Void
    ) async throws {
        let application = Application(router: try buildRouter(service, configuration), logger: .silent)
        try await application.test(.router) { try await body($0) }
    }
}

extension TestClientProtocol {
    func post(_ path: String, _ body: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await executeRequest(uri: path, method: .post, headers: headers, body: ByteBuffer(string: body))
    }

    func get(_ path: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await executeRequest(uri: path, method: .get, headers: headers, body: ByteBuffer())
    }
}

extension TestClientProtocol {
    /// Runs a test with another client of a live server. A request of it has no
    /// limit of time that a test reaches; the live client's has twenty seconds.
    func withPatience(_ body: @escaping @Sendable (TestClient) async throws -> Void) async throws {
        try await TestClient.withClient(
            host: "127.0.0.1", port: try #require(port), configuration: .init(timeout: .beyondTests), operation: body)
    }
}

extension TestClient {
    func read(_ path: String, headers: HTTPFields = [:]) async throws -> TestClient.Response {
        try await execute(TestClient.Request(path, method: .get, authority: "localhost", headers: headers))
    }
}

extension TestClient.Response {
    var text: String { String(buffer: body ?? ByteBuffer()) }

    /// The code of a refusal.
    var code: String? { StoreFailureBody.code(in: text) }
}

extension StoreFailureBody {
    fileprivate static func code(in text: String) -> String? {
        try? JSONDecoder().decode(StoreFailureBody.self, from: Data(text.utf8)).error.code.rawValue
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }

    /// The code of a refusal.
    var code: String? { StoreFailureBody.code(in: text) }

    func object() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}

extension TestDevice {
    var headers: HTTPFields { [.authorization: credentials.authorization] }
}

extension HTTPFields {
    /// The headers of the remote control of ``Engine/withControl(_:)``.
    static let control: HTTPFields = [.authorization: "Bearer secret"]

    /// The headers of a script's form, whose answer is JSON.
    static let script: HTTPFields = [.accept: "application/json", .contentType: "application/x-www-form-urlencoded"]

    func merging(cookie: String, site: String) -> HTTPFields {
        var fields = self
        fields[.cookie] = cookie
        if let name = HTTPField.Name("Sec-Fetch-Site") { fields[name] = site }
        return fields
    }
}
