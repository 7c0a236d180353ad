// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreTestSupport
import Testing

/// The first page of a store, and the addresses that a person shortens or
/// types with a slash at the end.
struct FrontPageTests {
    /// The addresses of the links of a page.
    private static func links(_ page: String) -> [String] {
        page.matches(of: /<a href="([^"]+)"/).map { String($0.1) }
    }

    /// Follows the answers of the kind 3xx, as a browser does.
    private static func open(_ address: String, _ client: any TestClientProtocol) async throws -> TestResponse {
        var response = try await client.get(address)
        for _ in 0..<5 {
            guard response.status.kind == .redirection, let next = response.headers[.location] else { break }
            response = try await client.get(next)
        }
        return response
    }

    @Test("The first page leads to the account, to Connect and to the descriptions, and each of them answers")
    func links() async throws {
        try await Engine.sqliteMemory.withControl { _, client in
            let page = try await client.get("/")
            #expect(page.status == .ok && page.headers[.contentType] == "text/html; charset=utf-8")
            let links = Self.links(page.text)
            #expect(links.contains("/connect") && links.contains("/account/purchases"))
            #expect(links.filter { $0.hasPrefix("/openapi/") }.count == 5)
            for address in links {
                let response = try await Self.open(address, client)
                #expect(response.status == .ok, "\(address)")
            }
        }
    }

    @Test("A store without the remote control has no link to its description")
    func withoutControl() async throws {
        try await Engine.sqliteMemory.withHTTP { _, client in
            let links = Self.links(try await client.get("/").text)
            #expect(links.filter { $0.hasPrefix("/openapi/") }.count == 4)
            #expect(!links.contains("/openapi/control.json"))
        }
    }

    @Test("The first page has the reader's language", arguments: ["en", "de", "fr"])
    func languages(language: String) async throws {
        try await Engine.sqliteMemory.withHTTP { _, client in
            let page = try await client.get("/", headers: [.acceptLanguage: language])
            #expect(page.text.contains("<html lang=\"\(language)\""))
        }
    }

    @Test(
        "An address with a slash at its end is the same page",
        arguments: ["/account", "/account/purchases", "/account/subscriptions", "/connect", "/openapi"])
    func lastSlash(address: String) async throws {
        try await Engine.sqliteMemory.withHTTP { _, client in
            let (plain, slash) = (
                try await Self.open(address, client), try await Self.open("\(address)/", client)
            )
            #expect(plain.status == slash.status && plain.status != .notFound)
            #expect(plain.headers[.contentType] == slash.headers[.contentType])
            #expect(plain.headers[.contentType]?.hasPrefix("text/html") == true)
        }
    }
}
