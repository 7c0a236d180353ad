// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreAgent

@Suite("Requests for content over HTTP", .timeLimit(.hang))
struct ContentRequestTests {
    private let content: HostedContent
    private var request: ContentRequest {
        ContentRequest(address: content.answer.address, range: 100..<200, checksum: content.checksum)
    }

    init() throws {
        content = try .larger()
    }

    private func ask(_ server: StubServer, _ request: ContentRequest) async throws -> (ContentPart, Data) {
        let connection = try HTTPStoreConnection(server.address)
        let part = try await connection.content(request)
        var bytes = Data()
        for try await some in part.bytes { bytes += some }
        // A connection that isn't needed any more ends its requests.
        withExtendedLifetime(connection) {}
        return (part, bytes)
    }

    @Test("A request names the range and the checksum, and has no credentials")
    func ranges() async throws {
        let server = try StubServer { [content] in
            StubServer.content(content.object, checksum: content.checksum, to: $0)
        }
        defer { server.close() }
        let (part, bytes) = try await ask(server, request)

        #expect(part.offset == 100 && part.checksum == content.checksum)
        #expect(bytes == content.object[100..<200])
        let head = try #require(server.requests.first?.lowercased())
        #expect(head.hasPrefix("get /content/1.0/1/signature http/1.1"))
        #expect(head.contains("range: bytes=100-199\r\n"))
        #expect(head.contains("if-range: \"\(content.checksum)\"\r\n"))
        #expect(!head.contains("authorization"))
    }

    @Test("A server without ranges sends the whole content from its beginning")
    func whole() async throws {
        let server = try StubServer { [content] _ in
            StubServer.answer("200 OK", ["ETag": "W/\"other\""], content.object)
        }
        defer { server.close() }
        let (part, bytes) = try await ask(server, request)

        #expect(part.offset == 0 && part.checksum == "other")
        #expect(bytes == content.object)
    }

    @Test("A redirect to a bucket is followed, with the range and without the checksum of another ETag")
    func redirected() async throws {
        let bucket = try StubServer { [content] in
            StubServer.content(content.object, checksum: "the bucket's own", to: $0)
        }
        defer { bucket.close() }
        let address = "http://127.0.0.1:\(bucket.port)/object?X-Amz-Signature=1"
        let server = try StubServer { _ in StubServer.answer("302 Found", ["Location": address]) }
        defer { server.close() }
        let (part, bytes) = try await ask(server, request)

        #expect(part.offset == 100 && part.checksum == nil)
        #expect(bytes == content.object[100..<200])
        let head = try #require(bucket.requests.first?.lowercased())
        #expect(head.hasPrefix("get /object?x-amz-signature=1") && head.contains("range: bytes=100-199"))
        #expect(!head.contains("if-range"))
    }

    @Test(
        "Redirects without an end, or to another kind of address, are refused",
        arguments: [
            "/content/again", "file:///etc/passwd", "javascript:alert(1)", "",
        ])
    func redirects(_ location: String) async throws {
        let server = try StubServer { _ in
            StubServer.answer("302 Found", location.isEmpty ? [:] : ["Location": location])
        }
        defer { server.close() }
        await #expect(throws: StoreFailure(.unreadableAnswer, "")) { _ = try await ask(server, request) }
        #expect(server.requests.count == (location.hasPrefix("/") ? 4 : 1))
    }

    @Test(
        "An address that isn't one of content is refused before anything is sent",
        arguments: [
            "", "/", "content/1", "//evil.example/content/", "/device/v1/queue", "/content/a b", "/content/\u{e9}",
            "http://evil.example/content/1", "@evil.example/content/",
        ])
    func addresses(_ address: String) async throws {
        let server = try StubServer { _ in StubServer.answer("200 OK") }
        defer { server.close() }
        var request = request
        request.address = address
        let refused = request
        await #expect(throws: StoreFailure(.unreadableAnswer, "")) { _ = try await ask(server, refused) }
        #expect(server.requests.isEmpty)
    }

    @Test("A store's refusal has its code, and another server's is no answer of a store")
    func refusals() async throws {
        let answers = Mutex<[Data]>([
            StubServer.answer(
                "403 Forbidden", [:],
                try StoreCoding.encode(StoreFailureBody(error: StoreFailure(.contentNotOwned, "Refunded.")))),
            StubServer.answer("503 Busy", ["Retry-After": "7"], Data("<html>".utf8)),
            StubServer.answer("416 Range Not Satisfiable"),
            StubServer.answer("206 Partial Content", [:], Data("abc".utf8)),
        ])
        let server = try StubServer { _ in answers.withLock { $0.removeFirst() } }
        defer { server.close() }

        let first = await #expect(throws: StoreFailure.self) { _ = try await ask(server, request) }
        #expect(first?.code == .contentNotOwned)
        let second = await #expect(throws: StoreFailure.self) { _ = try await ask(server, request) }
        #expect(second?.code == .unreadableAnswer && second?.retryAfter == 7)
        await #expect(throws: StoreFailure(.unreadableAnswer, "")) { _ = try await ask(server, request) }
        // A part without its place.
        await #expect(throws: StoreFailure(.unreadableAnswer, "")) { _ = try await ask(server, request) }
    }

    @Test("A body that ends early is a lost connection, after the bytes that have arrived")
    func truncated() async throws {
        let server = try StubServer { _ in
            StubServer.answer(
                "206 Partial Content", ["Content-Range": "bytes 100-199/1000"], Data("abc".utf8), length: 100)
        }
        defer { server.close() }
        let connection = try HTTPStoreConnection(server.address)
        let part = try await connection.content(request)
        var bytes = Data()
        let failure = await #expect(throws: ConnectionFailure.self) {
            for try await some in part.bytes { bytes += some }
        }
        #expect(bytes == Data("abc".utf8))
        #expect(failure?.reach == .unanswered)
        withExtendedLifetime(connection) {}
    }

    @Test("A store in a folder of its host has its content there")
    func folder() async throws {
        let server = try StubServer { [content] in
            StubServer.content(content.object, checksum: content.checksum, to: $0)
        }
        defer { server.close() }
        let connection = try HTTPStoreConnection(server.address.appendingPathComponent("store/"))
        for try await _ in try await connection.content(request).bytes {}
        #expect(server.requests.first?.hasPrefix("GET /store/content/1.0/1/signature ") == true)
    }

    @Test("A place is read from a field, and nonsense is refused")
    func fields() throws {
        #expect(try ContentRangeField.start("bytes 5-9/10") == 5)
        #expect(try ContentRangeField.start("Bytes 0-0/*") == 0)
        for field in [nil, "", "bytes", "bytes */10", "items 0-1/2", "bytes -1-2/3", "bytes x-2/3"] {
            #expect(throws: StoreFailure(.unreadableAnswer, "")) { try ContentRangeField.start(field) }
        }
    }
}
