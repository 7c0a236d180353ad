// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

/// Requests as libraries for other languages send them, where they differ from
/// Apple's library for Python, which `Tests/Processes/test_server_api.py` runs.
/// They were read from the sources of Apple's libraries for Node.js 3.1.0, Java
/// 5.2.0 and Swift 6.0.0, and of go-iap 1.52.0 (`appstore/api`).
@Suite(.timeLimit(.hang))
struct ServerLibraryTests {
    /// The header fields that a library adds to `Authorization`.
    private struct Library: Sendable, CustomTestStringConvertible {
        var name: String
        var fields: HTTPFields
        /// `Content-Type` of a body, and that of a request without one.
        var contentType: (body: String, none: String?)

        var testDescription: String { name }
    }

    private static let node = Library(
        name: "node/3.1.0",
        fields: [
            .userAgent: "app-store-server-library/node/3.1.0", .accept: "application/json", .acceptLanguage: "*",
            .acceptEncoding: "gzip, deflate",
        ], contentType: ("application/json", nil))
    private static let java = Library(
        name: "java/5.2.0",
        fields: [
            .userAgent: "app-store-server-library/java/5.2.0", .accept: "application/json", .acceptEncoding: "gzip",
        ], contentType: ("application/json; charset=utf-8", nil))
    private static let swift = Library(
        name: "swift/6.0.0",
        fields: [.userAgent: "app-store-server-library/swift/6.0.0", .accept: "application/json"],
        contentType: ("application/json", nil))
    private static let go = Library(
        name: "go-iap/1.52.0", fields: [.userAgent: "App Store Client", .acceptEncoding: "gzip"],
        contentType: ("application/json", "application/json"))
    private static let libraries = [node, java, swift, go]

    private func send(
        _ library: Library, _ path: String, _ method: HTTPRequest.Method = .get, _ body: String = "",
        by seller: ServerSeller
    ) async throws -> TestResponse {
        var fields = library.fields
        fields[.authorization] = try seller.seller.authorization(at: seller.store.clock.now)
        fields[.contentType] = body.isEmpty ? library.contentType.none : library.contentType.body
        return try await seller.client.executeRequest(
            uri: "/inApps/\(path)", method: method, headers: fields, body: ByteBuffer(string: body))
    }

    /// A subscriber, whose first transaction is asked for.
    private func withSubscriber(
        _ body: @Sendable @escaping (ServerSeller, String) async throws -> Void
    ) async throws {
        for engine in Engine.servers {
            try await engine.withHTTP { store, client in
                try await store.sellServedBaskets()
                let anna = try await store.addAccount()
                let phone = try await store.addDevice()
                let first = try await phone.buy("basket", request: "r", as: anna).transactionIdentifier
                try await body(try await ServerSeller(store, client), first)
            }
        }
    }

    @Test("Reads with each library's header fields are answered as JSON", arguments: libraries)
    private func reads(library: Library) async throws {
        try await withSubscriber { seller, first in
            for path in [
                "v1/transactions/\(first)", "v1/history/\(first)", "v2/history/\(first)", "v1/subscriptions/\(first)",
                "v2/refund/lookup/\(first)", "v1/lookup/\(first)", "v1/transactions/appTransactions/\(first)",
                // go-iap adds "?" also to an empty query.
                "v2/history/\(first)?", "v1/subscriptions/\(first)?",
            ] {
                let response = try await send(library, path, by: seller)
                #expect(response.status == .ok, "\(path): \(response.text)")
                #expect(response.headers[.contentType] == "application/json", "\(path)")
            }
            // Apple's library for Python reads a refusal's number only under exactly this type.
            let refused = try await send(library, "v1/transactions/x", by: seller)
            #expect(refused.status == .badRequest && refused.headers[.contentType] == "application/json")
        }
    }

    @Test("A POST without a body has no Content-Type, and with go-iap that of JSON", arguments: libraries)
    private func emptyBodies(library: Library) async throws {
        try await withSubscriber { seller, first in
            let finished = try await send(library, "v1/transactions/\(first)/finish", .post, by: seller)
            #expect(finished.status == .ok && finished.text.isEmpty, "\(finished.text)")
            let url = "https://seller.example/notify"
            try await ChangingNotificationAddresses(seller.store.context).add(
                url, of: BundleIdentifier(TestStore.bundleIdentifier))
            let test = try await send(library, "v1/notifications/test", .post, by: seller)
            #expect(test.status == .ok, "\(test.text)")
        }
    }

    private typealias Change = (path: String, method: HTTPRequest.Method, body: String, status: Int)

    /// Requests with a body. Go's encoder ends it with a line feed, and writes
    /// a missing list as null.
    private func changes(
        _ library: Library, of first: String, _ request: String, at now: Int64
    ) -> [Change] {
        let isGo = library.name == Self.go.name
        let countries = isGo ? #","storefrontCountryCodes":null"# : ""
        let changes: [Change] = [
            (
                "v1/notifications/history", .post,
                #"{"startDate":\#(now - 1),"endDate":\#(now),"onlyFailures":false}"#, 200
            ),
            // Apple's library for Python 1.9.0 writes all fields.
            (
                "v1/notifications/history", .post,
                #"{"startDate": \#(now - 1), "endDate": \#(now), "notificationType": null, "#
                    + #""notificationSubtype": null, "transactionId": null, "onlyFailures": true}"#, 200
            ),
            (
                "v1/subscriptions/extend/\(first)", .put,
                #"{"extendByDays":2,"extendReasonCode":1,"requestIdentifier":"\#(library.name)"}"#, 200
            ),
            (
                "v1/subscriptions/extend/mass", .post,
                #"{"requestIdentifier":"\#(request)","extendByDays":1,"extendReasonCode":2,"#
                    + #""productId":"basket"\#(countries)}"#, 200
            ),
            (
                "v2/transactions/consumption/\(first)", .put,
                #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false,"#
                    + #""refundPreference":"DECLINE"}"#, 202
            ),
            // The library for Swift writes a UUID in capitals.
            ("v1/transactions/\(first)/appAccountToken", .put, #"{"appAccountToken":"\#(request)"}"#, 200),
        ]
        return changes.map { isGo ? ($0.path, $0.method, $0.body + "\n", $0.status) : $0 }
    }

    @Test("Bodies are read with each library's type, line end and null fields", arguments: libraries)
    private func bodies(library: Library) async throws {
        try await withSubscriber { seller, first in
            let request = UUID().uuidString
            for change in changes(library, of: first, request, at: seller.store.clock.now.milliseconds) {
                let response = try await send(library, change.path, change.method, change.body, by: seller)
                #expect(response.status.code == change.status, "\(change.path): \(response.text)")
            }
            let mass = try await send(library, "v1/subscriptions/extend/mass/basket/\(request)", by: seller)
            #expect(try mass.object()["requestIdentifier"] as? String == request)
            #expect(try await seller.transaction(first).appAccountToken == request.lowercased())
        }
    }

    @Test("The parameters of a query may have any order, repetition and encoding")
    func queries() async throws {
        try await withSubscriber { seller, first in
            let library = Self.node
            for query in [
                // Node.js and Go encode a space as "+", Java and Swift as "%20"; Swift leaves "+", "/" and ":" as
                // they are, and Node.js "*".
                "productId=basket&productId=a+b%2Bc%2Fd%26e_-.*%7E%27%28%29", "productId=a%20b%2Bc&productId=basket",
                "productId=a+b/c:d&productId=basket",
                // Go sorts the names; the order of Java's and Swift's dictionaries differs at each call.
                "inAppOwnershipType=PURCHASED&productId=basket&productType=AUTO_RENEWABLE&revoked=false&sort=DESCENDING",
                "sort=DESCENDING&revoked=false&productType=CONSUMABLE&productType=AUTO_RENEWABLE&productId=basket",
                "revision=&productType=AUTO_RENEWABLE",
                // Apple's library for Python 3.1.2 writes its own words.
                "revoked=False",
            ] {
                let response = try await send(library, "v2/history/\(first)?\(query)", by: seller)
                #expect(response.status == .ok, "\(query): \(response.text)")
                guard response.status == .ok else { continue }
                let found = try seller.transactions(try response.object()).map(\.transactionId)
                #expect(found == [first], "\(query)")
            }
            let revoked = try await send(library, "v2/history/\(first)?revoked=True", by: seller)
            #expect(revoked.status == .ok, "\(revoked.text)")
            let statuses = try await send(library, "v1/subscriptions/\(first)?status=1&status=2&status=3", by: seller)
            #expect((try statuses.object()["data"] as? [Any])?.count == 1)
        }
    }
}
