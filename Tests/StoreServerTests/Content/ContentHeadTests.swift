// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

/// The head of a packed content: the magic, and the manifest.
struct ContentHeadTests {
    private static let digest = String(repeating: "0a", count: 32)

    private static func file(_ path: String, _ size: Int64 = 1) throws -> ContentManifest.File {
        ContentManifest.File(path: try ContentPath(path), size: size, sha256: digest)
    }

    private static func manifest(_ files: [ContentManifest.File]) throws -> ContentManifest {
        try ContentManifest(product: "apple", version: "1.0", files: [file("ContentInfo.plist", 100)] + files)
    }

    @Test("A manifest is the same after it was encoded, and its files are next to each other")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let names = Set(
                (0..<Int.random(in: 1...40, using: &generator)).map { _ in
                    "Contents/\(Int.random(in: 0...99, using: &generator))/\(Int.random(in: 0...9, using: &generator))é.txt"
                })
            let files = try names.map { try Self.file($0, Int64.random(in: 0...9999, using: &generator)) }
            let manifest = try Self.manifest(files.sorted { $0.path < $1.path })

            let encoded = try ContentHead.encode(manifest)
            let head = try ContentHead(decoding: encoded + Data("the files' bytes".utf8))

            #expect(head.manifest == manifest)
            #expect(head.bytes == Int64(encoded.count))
            #expect(head.ranges.first?.lowerBound == head.bytes)
            #expect(head.ranges.last?.upperBound == head.objectBytes)
            #expect(zip(head.ranges, head.ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
            #expect(head.ranges.map { Int64($0.count) } == manifest.files.map(\.size))
        }
    }

    @Test("A head that was cut is refused at every length")
    func truncated() throws {
        let encoded = try ContentHead.encode(Self.manifest([Self.file("Contents/a")]))
        for length in 0..<encoded.count {
            #expect(throws: ContentFormatError.self) { try ContentHead(decoding: encoded.prefix(length)) }
        }
    }

    @Test("A head with altered bytes is refused, or is one with other values")
    func altered() throws {
        let encoded = try ContentHead.encode(Self.manifest([Self.file("Contents/a"), Self.file("Contents/b")]))
        let original = try ContentHead(decoding: encoded)
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            var bytes = encoded
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
            do {
                #expect(try ContentHead(decoding: bytes) != original, "the byte \(place)")
            } catch {
                #expect(error.message.count < 1000)
            }
        }
    }

    @Test(
        "Another manifest than the format's is refused",
        arguments: [
            "", "[]", "{}", "null", #"{"product":"a","version":"1","files":[]}"#,
            #"{"product":"","version":"1","files":[PLIST,FILE]}"#,
            #"{"product":"a","version":"","files":[PLIST,FILE]}"#,
            #"{"product":"a\nb","version":"1","files":[PLIST,FILE]}"#,
            #"{"product":"a","version":"1","files":[PLIST]}"#,
            #"{"product":"a","version":"1","files":[FILE,PLIST]}"#,
            #"{"product":"a","version":"1","files":[FILE]}"#,
            #"{"product":"a","version":"1","files":[PLIST,FILE,FILE]}"#,
            #"{"product":"a","version":"1","files":[PLIST,{"path":"Contents/a","size":-1,"sha256":"SUM"}]}"#,
            #"{"product":"a","version":"1","files":[PLIST,{"path":"Contents/a","size":1e99,"sha256":"SUM"}]}"#,
            #"{"product":"a","version":"1","files":[PLIST,{"path":"Contents/a","size":1.5,"sha256":"SUM"}]}"#,
            #"{"product":"a","version":"1","files":[PLIST,{"path":"Contents/a","size":1,"sha256":"0a"}]}"#,
            #"{"product":"a","version":"1","files":[PLIST,{"path":"../a","size":1,"sha256":"SUM"}]}"#,
            #"{"product":"a","version":"1","files":[PLIST,{"path":"Contents/a","sha256":"SUM"}]}"#,
        ])
    func malformed(json: String) {
        let filled = json.replacing("PLIST", with: #"{"path":"ContentInfo.plist","size":1,"sha256":"SUM"}"#)
            .replacing("FILE", with: #"{"path":"Contents/a","size":1,"sha256":"SUM"}"#)
            .replacing("SUM", with: Self.digest)
        var bytes = ContentHead.magic
        withUnsafeBytes(of: UInt32(filled.utf8.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(Data(filled.utf8))
        #expect(throws: ContentFormatError.self) { try ContentHead(decoding: bytes) }
    }

    @Test("Two paths that some file systems take for one are refused, and a file that is also a folder")
    func duplicates() throws {
        for paths in [["Contents/e\u{301}", "Contents/é"], ["Contents/a", "Contents/a/b"]] {
            let files = try paths.map { try Self.file($0) }.sorted { $0.path < $1.path }
            let error = #expect(throws: ContentFormatError.self) { try Self.manifest(files) }
            #expect(error?.code == .duplicate)
        }
        _ = try Self.manifest([Self.file("Contents/A"), Self.file("Contents/a")])
    }

    @Test("An object of two gigabytes is allowed, and one with a byte more is refused")
    func largest() throws {
        func head(_ size: Int64) throws -> ContentHead {
            // Sizes of ten digits, so that the heads have one length.
            try ContentHead(decoding: ContentHead.encode(try Self.manifest([Self.file("Contents/a", size)])))
        }
        let bytes = try head(2_000_000_000).bytes
        let room = ContentLimits.objectBytes - bytes - 100

        #expect(try head(room).objectBytes == ContentLimits.objectBytes)
        let error = #expect(throws: ContentFormatError.self) { try head(room + 1) }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("2147483649") == true)
    }

    @Test("A manifest with too many files is refused, and one that is too long before it is read")
    func tooMany() throws {
        let files = try (0..<ContentLimits.files).map { try Self.file("Contents/\($0)") }.sorted { $0.path < $1.path }
        let error = #expect(throws: ContentFormatError.self) { try Self.manifest(files) }
        #expect(error?.code == .tooLarge)
        let prefix = ContentHead.magic + Data([0x01, 0x00, 0x00, 0x01])
        #expect(throws: ContentFormatError.self) { try ContentHead.bytes(prefix: prefix) }
        #expect(throws: ContentFormatError.self) { try ContentHead.bytes(prefix: Data("OSKCONT2\0\0\0\u{1}".utf8)) }
    }
}
