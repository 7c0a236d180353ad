// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreTestSupport
import Testing

@testable import StoreService

/// The folder in which a store keeps content.
struct FolderStorageTests {
    private let folder: TemporaryFolder
    private let storage: FolderStorage
    private let bytes = TestContent.noise(150_000)

    init() throws {
        folder = try TemporaryFolder()
        storage = FolderStorage(folder.url.appending(path: "content"), partBytes: 100_000)
    }

    private func upload(_ name: String = "u1") -> ContentUpload {
        ContentUpload(
            identifier: UploadIdentifier(name), bundleIdentifier: "b", productIdentifier: "p", version: "1",
            bytes: Int64(bytes.count), checksum: "ab12", touched: WallTime(milliseconds: 0))
    }

    private func append(to upload: ContentUpload) async throws {
        _ = try await storage.append(bytes.prefix(100_000), to: upload, at: 0)
        _ = try await storage.append(bytes.dropFirst(100_000), to: upload, at: 100_000)
    }

    private func all(_ reader: any ContentReader) async throws -> Data {
        var all = Data()
        while let part = try await reader.next() {
            #expect(part.count <= 128 << 10)
            all.append(part)
        }
        return all
    }

    @Test("An upload is read back, becomes an object, and its ranges are read")
    func life() async throws {
        let upload = upload()
        try await append(to: upload)
        #expect(try await all(storage.read(upload)) == bytes)
        try await storage.complete(upload)
        // Repeated, as after a crash.
        try await storage.complete(upload)
        #expect(try await all(storage.read(upload)) == bytes)
        for range: Range<Int64> in [0..<0, 0..<1, 0..<150_000, 99_999..<100_001, 149_999..<150_000] {
            let read = try await all(storage.read(upload.object, range))
            #expect(read == bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        }
        try await storage.remove(upload.object)
        try await storage.remove(upload.object)
        await #expect(throws: ContentStorageError.self) { _ = try await storage.read(upload.object, 0..<1) }
    }

    @Test("A part is written again, and one behind a gap is refused")
    func parts() async throws {
        let upload = upload()
        let error = await #expect(throws: ContentStorageError.self) {
            _ = try await storage.append(bytes.dropFirst(100_000), to: upload, at: 100_000)
        }
        #expect(error?.code == .missing)
        _ = try await storage.append(Data(repeating: 7, count: 100_000), to: upload, at: 0)
        try await append(to: upload)
        #expect(try await all(storage.read(upload)) == bytes)
    }

    @Test("An object that has lost its end is an error, and not a shorter object")
    func shortened() async throws {
        let upload = upload()
        try await append(to: upload)
        try await storage.complete(upload)
        let path = folder.path("content/objects/ab/\(upload.object)")
        let reader = try await storage.read(upload.object, 0..<150_000)
        try #require(truncate(path, 70_000) == 0)
        await #expect(throws: ContentStorageError.self) { while try await reader.next() != nil {} }
        await #expect(throws: ContentStorageError.self) { _ = try await storage.read(upload.object, 0..<150_000) }
    }

    @Test("All uploads and objects are listed")
    func listed() async throws {
        var listed: Set<StoredContent> = []
        for number in 0..<3 {
            try await append(to: upload("u\(number)"))
            listed.insert(.upload(UploadIdentifier("u\(number)")))
        }
        for checksum in ["00aa", "ffbb", "ab12", "ab99"] {
            let upload = ContentUpload(
                identifier: UploadIdentifier("o\(checksum)"), bundleIdentifier: "b", productIdentifier: "p",
                version: "1", bytes: Int64(bytes.count), checksum: checksum, touched: WallTime(milliseconds: 0))
            try await append(to: upload)
            try await storage.complete(upload)
            listed.insert(.object(upload.object))
        }
        var found: Set<StoredContent> = []
        var last: StoredContent?
        while true {
            let page = try await storage.list(after: last)
            guard let final = page.last else { break }
            found.formUnion(page)
            last = final
        }
        #expect(found == listed)
        try await storage.abandon("u1" as UploadIdentifier)
        #expect(try await !storage.list(after: nil).contains(.upload("u1")))
    }

    @Test("The files and folders are closed to other users, and a link is never followed")
    func rights() async throws {
        let upload = upload()
        try await append(to: upload)
        for (path, rights) in [("content", 0o700), ("content/uploads", 0o700), ("content/uploads/u1", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(path))
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == rights, "\(path)")
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("content/uploads/u2"), withDestinationPath: folder.path("elsewhere"))
        await #expect(throws: ContentStorageError.self) {
            _ = try await storage.append(bytes.prefix(100_000), to: self.upload("u2"), at: 0)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("elsewhere")))
    }
}
