// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

@testable import StoreServer

/// A program with a key of a team, which sends requests to Connect's API.
struct ConnectProgram: Sendable {
    let client: any TestClientProtocol
    /// The value of `Authorization`.
    var authorization: String?

    init(_ client: any TestClientProtocol, authorization: String? = nil) {
        self.client = client
        self.authorization = authorization
    }

    /// A program with a new key of a role.
    init(
        _ client: any TestClientProtocol, _ role: TeamRole, of holder: TeamUser, _ store: TestStore
    ) async throws {
        let made = try await store.service.managingTeamKeys()
            .make(named: "Key of \(role)", for: "connect", role: role.rawValue, by: holder)
        self.init(client, authorization: try TestSeller(made).authorization(at: store.clock.now))
    }

    /// Sends a request; `body` is JSON, or a text.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, file: Data? = nil, tag: String? = nil,
        accept: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.authorization] = authorization
        headers[.ifMatch] = tag
        headers[.accept] = accept
        if body != nil { headers[.contentType] = "application/json" }
        return try await client.executeRequest(
            uri: "/connect/v1/\(path)", method: method, headers: headers,
            body: ByteBuffer(bytes: file ?? Data((body ?? "").utf8)))
    }
}

extension TestResponse {
    /// The problems of the fields of a refusal, such as `name missing`.
    var problems: [String] {
        get throws {
            let error = try #require(try object()["error"] as? [String: Any])
            let fields = error["fields"] as? [[String: Any]] ?? []
            return fields.map { "\($0["field"] ?? "") \($0["problem"] ?? "")" }.sorted()
        }
    }

    /// The saved values of a refusal.
    func saved() throws -> [String: Any] { try #require(try object()["saved"] as? [String: Any]) }
}
