// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// `/content/…`: the bytes of hosted content.
struct ContentRouteTests {
    /// A content that a device has bought, its address and its bytes.
    private struct Bought: Sendable {
        var store: TestStore
        var client: any TestClientProtocol
        var answer: ContentAnswer
        var bytes: Data
        var transaction: TransactionIdentifier

        func request(_ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]) async throws -> TestResponse {
            try await client.executeRequest(uri: answer.address, method: method, headers: fields, body: ByteBuffer())
        }

        var tag: String { "\"\(answer.checksum)\"" }
    }

    private func withBought(
        _ engine: Engine = .sqliteMemory, _ body: @Sendable @escaping (Bought) async throws -> Void
    ) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            // Longer than a part of the body.
            let content = try TestContent(files: ["book.bin": TestContent.noise(150_000)])
            try await store.publish(content)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let call = ContentCall(transaction: apple.transactionIdentifier)
            let message = String(decoding: try StoreCoding.encode(call), as: UTF8.self)
            let response = try await client.post("/device/v1/content", message, headers: phone.headers)
            #expect(response.status == .ok)
            let answer = try StoreCoding.decode(ContentAnswer.self, from: Data(response.text.utf8))
            try await body(
                Bought(
                    store: store, client: client, answer: answer, bytes: content.bytes(),
                    transaction: TransactionIdentifier(apple.transactionIdentifier)))
        }
    }

    private static func bytes(_ response: TestResponse) -> Data { Data(response.body.readableBytesView) }

    @Test("The whole content has its length, its tag and its digest", arguments: Engine.servers)
    func whole(engine: Engine) async throws {
        try await withBought(engine) { bought in
            let response = try await bought.request()
            #expect(response.status == .ok)
            #expect(Self.bytes(response) == bought.bytes)
            #expect(bought.answer.length == Int64(bought.bytes.count))
            #expect(response.headers[.contentLength] == String(bought.bytes.count))
            #expect(response.headers[.acceptRanges] == "bytes")
            #expect(response.headers[.eTag] == bought.tag)
            #expect(response.headers[.cacheControl] == "private")
            let digest = try #require(Data(hexadecimal: bought.answer.checksum)).base64EncodedString()
            #expect(response.headers[try #require(HTTPField.Name("Repr-Digest"))] == "sha-256=:\(digest):")
        }
    }

    @Test("HEAD has the fields of GET, and no body")
    func head() async throws {
        try await withBought { bought in
            let response = try await bought.request(.head, [.range: "bytes=0-1"])
            #expect(response.status == .ok)
            #expect(response.body.readableBytes == 0)
            #expect(response.headers[.contentLength] == String(bought.bytes.count))
            #expect(response.headers[.eTag] == bought.tag)
        }
    }

    @Test("A content that is read in ranges is the content")
    func ranges() async throws {
        try await withBought { bought in
            var generator = SeededGenerator(seed: 29)
            var read = Data()
            while read.count < bought.bytes.count {
                let end = min(read.count + Int.random(in: 0...40_000, using: &generator), bought.bytes.count - 1)
                let response = try await bought.request(.get, [.range: "bytes=\(read.count)-\(end)"])
                #expect(response.status == .partialContent)
                #expect(response.headers[.contentRange] == "bytes \(read.count)-\(end)/\(bought.bytes.count)")
                #expect(response.headers[.contentLength] == String(end - read.count + 1))
                read.append(Self.bytes(response))
            }
            #expect(read == bought.bytes)
            let last = try await bought.request(.get, [.range: "bytes=-7"])
            #expect(Self.bytes(last) == bought.bytes.suffix(7))
            let rest = try await bought.request(.get, [.range: "bytes=149000-", .ifRange: bought.tag])
            #expect(rest.status == .partialContent)
            #expect(Self.bytes(rest) == bought.bytes.dropFirst(149_000))
        }
    }

    @Test("A part of another content, several parts and another unit get the whole")
    func wholeInstead() async throws {
        try await withBought { bought in
            for fields: HTTPFields in [
                [.range: "bytes=0-1", .ifRange: "\"other\""], [.range: "bytes=0-1,5-6"], [.range: "lines=0-1"],
            ] {
                let response = try await bought.request(.get, fields)
                #expect(response.status == .ok)
                #expect(Self.bytes(response) == bought.bytes)
            }
        }
    }

    @Test("A range after the end is refused with the length")
    func unsatisfiable() async throws {
        try await withBought { bought in
            let response = try await bought.request(.get, [.range: "bytes=\(bought.bytes.count)-"])
            #expect(response.status == .rangeNotSatisfiable)
            #expect(response.headers[.contentRange] == "bytes */\(bought.bytes.count)")
            #expect(response.body.readableBytes == 0)
        }
    }

    @Test("Preconditions are answered by the tag")
    func preconditions() async throws {
        try await withBought { bought in
            for (fields, status) in [
                ([.ifNoneMatch: bought.tag], .notModified), ([.ifNoneMatch: "*"], .notModified),
                ([.ifNoneMatch: "\"other\", \(bought.tag)"], .notModified), ([.ifNoneMatch: "\"other\""], .ok),
                ([.ifMatch: bought.tag], .ok), ([.ifMatch: "\"other\""], .preconditionFailed),
            ] as [(HTTPFields, HTTPResponse.Status)] {
                let response = try await bought.request(.get, fields)
                #expect(response.status == status, "\(fields)")
                #expect(response.body.readableBytes == (status == .ok ? bought.bytes.count : 0))
            }
        }
    }

    private enum Change: CaseIterable {
        case refund, hour, removal

        var code: String {
            switch self {
            case .refund: "content-not-owned"
            case .hour: "content-address-expired"
            case .removal: "content-not-found"
            }
        }

        func make(_ bought: Bought) async throws {
            switch self {
            case .refund: try await bought.store.service.refund(bought.transaction)
            case .hour: bought.store.clock.advance(by: .seconds(3600))
            case .removal:
                let bundle = BundleIdentifier(TestStore.bundleIdentifier)
                _ = try await RemovingContent(bought.store.context)("apple", of: bundle, version: nil)
            }
        }
    }

    @Test("After a refund, after an hour and after its removal the content is refused with a code")
    func refused() async throws {
        for change in Change.allCases {
            try await withBought { bought in
                try await change.make(bought)
                for method in [HTTPRequest.Method.get, .head] {
                    let response = try await bought.request(method, [.range: "bytes=0-1"])
                    #expect(response.status == (change == .removal ? .notFound : .forbidden))
                    #expect(method == .head || response.code == change.code, "\(response.text)")
                }
            }
        }
    }

    @Test("An address that the store hasn't signed isn't found, and other methods are refused")
    func unsigned() async throws {
        try await withBought { bought in
            for path in [
                "/content/a.b/1/00", "/content/\(String(repeating: "x", count: 5000))/1/00", "/content/a/b/c",
                "/content/a.b/-1/\(String(repeating: "0", count: 64))", "/content/..%2F..%2Fetc/1/00",
            ] {
                let response = try await bought.client.get(path)
                #expect(response.status == .notFound && response.code == "content-not-found", "\(path)")
            }
            #expect(try await bought.request(.post).status == .methodNotAllowed)
            #expect(try await bought.request(.put).code == "method-not-allowed")
        }
    }

    @Test("Bytes that the storage has lost are a failure with a code, and not a short answer")
    func lost() async throws {
        try await withBought { bought in
            let files = try bought.store.contentFiles().objects
            for file in files {
                try FileManager.default.removeItem(atPath: bought.store.contentFolder.path("objects/\(file)"))
            }
            let response = try await bought.request()
            #expect(files.count == 1)
            #expect(response.status == .serviceUnavailable && response.code == "unavailable")
            #expect(!response.text.contains("objects"))
        }
    }

    @Test("An open download is counted until it is over")
    func counted() async throws {
        try await withBought { bought in
            let parts = bought.answer.address.split(separator: "/").map(String.init)
            let requested = try await bought.store.service.content(
                identifier: parts[1], expires: parts[2], signature: parts[3])
            var stream: ContentStream? = try await requested.open(0..<requested.content.bytes)
            _ = try await stream?.next()
            #expect(bought.store.service.openContentStreams == 1)
            stream = nil
            #expect(bought.store.service.openContentStreams == 0)
        }
    }
}
