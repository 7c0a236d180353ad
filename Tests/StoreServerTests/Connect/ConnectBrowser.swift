// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

@testable import StoreServer

/// A browser at Connect: it keeps the session's cookie, and names the origin of
/// its forms.
struct ConnectBrowser: Sendable {
    static let origin = "https://store.example"

    let client: any TestClientProtocol
    var cookie: String?
    var language = "en"

    init(_ client: any TestClientProtocol) {
        self.client = client
    }

    /// A browser in which a user is signed in.
    init(_ client: any TestClientProtocol, _ user: TeamUser?, _ store: TestStore) async throws {
        self.client = client
        guard let user else { return }
        let token = try await store.service.teamSessions(for: user)
        cookie = "__Host-connect_session=\(token)"
    }

    private var headers: HTTPFields {
        var headers: HTTPFields = [.acceptLanguage: language]
        headers[.cookie] = cookie
        return headers
    }

    func get(_ path: String) async throws -> TestResponse { try await client.get(path, headers: headers) }

    /// Sends a form; `origin` is that of the page with the form.
    func send(
        _ path: String, _ fields: [String: String], origin: String? = ConnectBrowser.origin
    ) async throws -> TestResponse {
        let body = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.percentEncodedForQuery)" }
        return try await post(
            path, body.joined(separator: "&"), type: "application/x-www-form-urlencoded", origin: origin)
    }

    /// Sends a body of a type.
    func post(
        _ path: String, _ body: String, type: String, origin: String? = ConnectBrowser.origin
    ) async throws -> TestResponse {
        var headers = headers
        headers[.origin] = origin
        headers[.contentType] = type
        return try await client.post(path, body, headers: headers)
    }

    /// Sends a form with a file, as a browser does.
    func upload(
        _ path: String, _ fields: [String: String], file: Data, named name: String, filename: String = "a \"b\".png",
        origin: String? = ConnectBrowser.origin
    ) async throws -> TestResponse {
        var headers = headers
        headers[.origin] = origin
        headers[.contentType] = "multipart/form-data; boundary=----boundary1"
        var body = Data()
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            body += Data(
                "------boundary1\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        let shown = filename.replacing("\"", with: "%22")
        let disposition = "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(shown)\""
        body += Data("------boundary1\r\n\(disposition)\r\nContent-Type: text/html\r\n\r\n".utf8)
        body += file + Data("\r\n------boundary1--\r\n".utf8)
        return try await client.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: body))
    }

    /// Sends a form, or opens a page without one.
    func request(_ path: String, _ form: [String: String]?) async throws -> TestResponse {
        if let form { return try await send(path, form) }
        return try await get(path)
    }

    /// Sends a form, and takes the cookie of the answer.
    mutating func enter(_ path: String, _ fields: [String: String]) async throws -> TestResponse {
        let response = try await send(path, fields)
        cookie = response.headers[.setCookie]?.split(separator: ";").first.map(String.init) ?? cookie
        return response
    }
}

extension TestResponse {
    /// The path of the one-time address on a page.
    var oneTimePath: String? {
        text.firstMatch(of: /https:\/\/store\.example(\/connect\/[a-z]+\/[0-9a-f]{64})/).map { String($0.1) }
    }
}
