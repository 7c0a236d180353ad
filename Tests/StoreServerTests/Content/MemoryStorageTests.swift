// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreTestSupport
import Testing

@testable import StoreService

/// The memory in which an ephemeral store keeps content.
struct MemoryStorageTests {
    private let storage = MemoryStorage(partBytes: 100_000, limit: 300_000)
    private let bytes = TestContent.noise(150_000)

    private func upload(_ name: String = "u1", object: String = "ab12") -> ContentUpload {
        ContentUpload(
            identifier: UploadIdentifier(name), bundleIdentifier: "b", productIdentifier: "p", version: "1",
            bytes: Int64(bytes.count), checksum: object, touched: WallTime(milliseconds: 0))
    }

    private func append(to upload: ContentUpload) throws {
        _ = try storage.append(bytes.prefix(100_000), to: upload, at: 0)
        _ = try storage.append(bytes.dropFirst(100_000), to: upload, at: 100_000)
    }

    private func all(_ reader: any ContentReader) async throws -> Data {
        var all = Data()
        while let part = try await reader.next() {
            #expect(part.count <= 128 << 10)
            all.append(part)
        }
        return all
    }

    @Test("An upload in memory is read back, becomes an object, and its ranges are read")
    func life() async throws {
        let upload = upload()
        try append(to: upload)
        #expect(try await all(storage.read(upload)) == bytes)
        #expect(storage.list(after: nil) == [.upload(upload.identifier)])
        try storage.complete(upload)
        try storage.complete(upload)
        #expect(storage.list(after: nil) == [.object(upload.object)])
        #expect(try await all(storage.read(upload)) == bytes)
        for range: Range<Int64> in [0..<0, 0..<1, 0..<150_000, 99_999..<100_001, 149_999..<150_000] {
            let read = try await all(storage.read(upload.object, range))
            #expect(read == bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        }
        storage.remove(upload.object)
        #expect(throws: ContentStorageError.self) { _ = try storage.read(upload.object, 0..<1) }
    }

    @Test("A part in memory is written again, and one behind a gap is refused")
    func parts() async throws {
        let upload = upload()
        #expect(throws: ContentStorageError(.missing, "")) {
            _ = try storage.append(bytes.dropFirst(100_000), to: upload, at: 100_000)
        }
        try append(to: upload)
        try append(to: upload)
        #expect(try await all(storage.read(upload)) == bytes)
        storage.abandon(upload)
        #expect(throws: ContentStorageError(.missing, "")) { try storage.complete(upload) }
    }

    @Test("Content over the limit of the memory is refused, and the earlier content stays")
    func limit() async throws {
        let first = upload()
        try append(to: first)
        try append(to: upload("u2", object: "cd34"))
        #expect(throws: ContentStorageError(.full, "")) {
            _ = try storage.append(Data(count: 1), to: upload("u3", object: "ef56"), at: 0)
        }
        #expect(throws: ContentStorageError(.full, "")) {
            _ = try storage.append(Data(count: 1), to: first, at: 150_000)
        }
        #expect(try await all(storage.read(first)) == bytes)
    }
}
