// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import StoreDomain
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreBucket

/// Requests to a bucket, against a server with scripted answers. A server with
/// the interface of Amazon S3 is in `Tests/Processes/test_bucket.py`.
@Suite("A bucket over HTTP", .timeLimit(.hang))
struct BucketStorageTests {
    private static let checksum = String(repeating: "ab", count: 32)
    private static let object = ContentObjectName("\(checksum)-cd34")
    private static let bytes = TestContent.noise(200_000)

    /// Answers that are given one after another, the last one forever.
    private final class Script: Sendable {
        private let answers: Mutex<[Data]>
        init(_ answers: [Data]) { self.answers = Mutex(answers) }
        func next() -> Data { answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    }

    private static func answer(_ status: String, _ body: String = "") -> Data {
        StubServer.answer(status, [:], Data(body.utf8))
    }

    private static func error(_ status: String, _ code: String) -> Data {
        answer(status, "<Error><Code>\(code)</Code><Message>secret details</Message></Error>")
    }

    /// Runs a test with a bucket that gives scripted answers.
    private func withBucket(
        _ answers: Data..., body: (BucketStorage, StubServer) async throws -> Void
    ) async throws {
        let script = Script(answers)
        let server = try StubServer { _ in script.next() }
        defer { server.close() }
        try await body(try Self.storage(at: server), server)
    }

    private static func storage(at server: StubServer) throws -> BucketStorage {
        let clock = WallClock(now: { WallTime(milliseconds: 1_369_353_600_000) }, sleep: { _ in })
        return try BucketStorage(
            BucketAddress("s3://fruit/shop?endpoint=http://127.0.0.1:\(server.port)"), store: "00",
            credentials: BucketCredentials(accessKey: "key", secretKey: "hidden"), environment: [:], clock: clock,
            count: { _ in },
            retries: BucketRetries(pauses: [.milliseconds(1), .milliseconds(1)], total: TimeAmount(.beyondTests)),
            partBytes: 100_000)
    }

    private func all(_ reader: any ContentReader) async throws -> Data {
        var all = Data()
        while let part = try await reader.next() {
            #expect(part.count <= 64 << 10)
            all.append(part)
        }
        return all
    }

    @Test("An error that passes is repeated, and each request is signed anew")
    func repeated() async throws {
        let answers = (Self.error("500 Failed", "InternalError"), Self.error("503 Busy", "SlowDown"))
        try await withBucket(answers.0, answers.1, Self.answer("204 No Content")) { storage, server in
            try await storage.remove(Self.object)
            #expect(server.requests.count == 3)
            for head in server.requests {
                #expect(head.hasPrefix("DELETE /fruit/shop/00/objects/cd34/\(Self.checksum) HTTP/1.1\r\n"))
                let signature = "authorization: aws4-hmac-sha256 credential=key/20130524/us-east-1/s3/aws4_request, "
                #expect(head.lowercased().contains(signature))
                #expect(!head.contains("hidden"))
            }
        }
    }

    @Test("An error that stays ends after the attempts, and names the bucket without the bucket's details")
    func given() async throws {
        try await withBucket(Self.error("503 Busy", "SlowDown")) { storage, server in
            let error = await #expect(throws: ContentStorageError.self) { try await storage.remove(Self.object) }
            #expect(error?.code == .unavailable && server.requests.count == 3)
            #expect(error?.message.contains("s3://fruit/shop at http://127.0.0.1:\(server.port)") == true)
            #expect(error?.message.contains("503 SlowDown") == true)
            #expect(error?.message.contains("secret details") == false)
        }
        try await withBucket(Self.error("403 Forbidden", "AccessDenied")) { storage, server in
            await #expect(throws: ContentStorageError(.unavailable, "")) { try await storage.remove(Self.object) }
            #expect(server.requests.count == 1)
        }
    }

    @Test("A bucket that can't be reached is an error with the endpoint")
    func unreachable() async throws {
        let server = try StubServer { _ in Data() }
        let storage = try Self.storage(at: server)
        server.close()
        let error = await #expect(throws: ContentStorageError.self) { try await storage.remove(Self.object) }
        #expect(error?.code == .unavailable && error?.message.contains(":\(server.port)") == true)
    }

    @Test("A part begins an upload, whose identifier is kept for the next one")
    func parts() async throws {
        let begun = Self.answer(
            "200 OK", "<InitiateMultipartUploadResult><UploadId>u+1</UploadId></InitiateMultipartUploadResult>")
        try await withBucket(begun, Self.answer("200 OK")) { storage, server in
            var upload = ContentUpload(
                identifier: "cd34", bundleIdentifier: "b", productIdentifier: "p", version: "1", bytes: 150_000,
                checksum: Self.checksum, touched: WallTime(milliseconds: 0))
            upload.storageState = try await storage.append(Self.bytes.prefix(100_000), to: upload, at: 0)
            #expect(upload.storageState == "u+1")
            #expect(try await storage.append(Self.bytes.prefix(50_000), to: upload, at: 100_000) == "u+1")
            let lines = server.requests.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
            let path = "/fruit/shop/00/objects/cd34/\(Self.checksum)"
            #expect(
                lines == [
                    "POST \(path)?uploads=", "PUT \(path)?partNumber=1&uploadId=u%2B1",
                    "PUT \(path)?partNumber=2&uploadId=u%2B1",
                ])
            upload.storageState = ""
            await #expect(throws: ContentStorageError(.missing, "")) {
                _ = try await storage.append(Self.bytes.prefix(50_000), to: upload, at: 100_000)
            }
        }
    }

    @Test("A read goes on at the missing byte after a cut, of the same object")
    func cut() async throws {
        func part(_ start: Int, _ count: Int) -> Data {
            StubServer.answer(
                "206 Partial Content",
                ["Content-Range": "bytes \(start)-149999/200000", "ETag": "\"tag\""],
                Self.bytes[start..<start + count], length: 150_000 - start)
        }
        try await withBucket(part(50_000, 30_000), part(80_000, 70_000)) { storage, server in
            let read = try await all(storage.read(Self.object, 50_000..<150_000))
            #expect(read == Self.bytes[50_000..<150_000])
            let heads = server.requests.map { $0.lowercased() }
            #expect(heads.count == 2 && heads[0].contains("range: bytes=50000-149999\r\n"))
            #expect(heads[1].contains("range: bytes=80000-149999\r\n") && heads[1].contains("if-match: \"tag\"\r\n"))
        }
    }

    @Test("Other bytes than the object's checksum end before the last of them")
    func otherBytes() async throws {
        let whole = StubServer.answer(
            "206 Partial Content", ["Content-Range": "bytes 0-199999/200000"], Self.bytes)
        try await withBucket(whole) { storage, _ in
            let reader = try await storage.read(Self.object, 0..<200_000)
            var count = 0
            let error = await #expect(throws: ContentStorageError.self) {
                while let part = try await reader.next() { count += part.count }
            }
            #expect(error?.code == .missing && count < 200_000)
        }
    }

    @Test("An answer with another range, or with a page, is an error before any byte")
    func otherAnswers() async throws {
        for answer in [
            Self.answer("200 OK", "<html>A page.</html>"),
            StubServer.answer("206 Partial Content", ["Content-Range": "bytes 1-100/200000"], Self.bytes.prefix(100)),
        ] {
            try await withBucket(answer) { storage, _ in
                await #expect(throws: ContentStorageError(.unavailable, "")) {
                    _ = try await storage.read(Self.object, 0..<100)
                }
            }
        }
    }

    @Test("A list has the store's own names, and an answer that is too long or another one is an error")
    func lists() async throws {
        let foreign = "<Contents><Key>shop/00/objects/readme</Key></Contents>"
        let own = "<Contents><Key>shop/00/objects/cd34/\(Self.checksum)</Key></Contents>"
        let list = Self.answer("200 OK", "<ListBucketResult>\(foreign)\(own)</ListBucketResult>")
        try await withBucket(list) { storage, server in
            let page = try await storage.list(after: nil)
            #expect(page == [.object(Self.object)])
            #expect(server.requests[0].contains("GET /fruit?list-type=2&max-keys=500&prefix=shop%2F00%2Fobjects%2F "))
        }
        for body in ["<ListBucketResult>", "text", "", String(repeating: " ", count: BucketConnection.answerBytes + 1)]
        {
            try await withBucket(Self.answer("200 OK", body)) { storage, _ in
                await #expect(throws: ContentStorageError(.unavailable, "")) { _ = try await storage.list(after: nil) }
            }
        }
    }

    @Test("An address is valid until the store's own ends, and for five minutes at most")
    func addresses() async throws {
        try await withBucket(Data()) { storage, server in
            func seconds(_ rest: Duration) async throws -> String? {
                let end = WallTime(milliseconds: 1_369_353_600_000) + rest
                let address = try await storage.address(of: Self.object, until: end)
                return address.flatMap { URLComponents(string: $0)?.queryItems }?
                    .first { $0.name == "X-Amz-Expires" }?.value
            }
            for (rest, expected) in [(3600, "300"), (20, "20"), (0, nil), (-3600, nil)] as [(Int, String?)] {
                let text = try await seconds(.seconds(rest))
                #expect(text == expected)
            }
            #expect(server.requests.isEmpty)
        }
    }
}
