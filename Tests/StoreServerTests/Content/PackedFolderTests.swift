// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

@testable import StoreService

/// Content packages in folders, and packed ones in files.
struct PackedFolderTests {
    private static func refusal(of content: TestContent) -> String {
        do {
            _ = try content.packed()
            return "no refusal"
        } catch {
            return "\(error)"
        }
    }

    @Test("A folder reads as the same bytes from every offset, without a second copy")
    func offsets() throws {
        var files = ["large": TestContent.noise(5000), "empty": Data()]
        for number in 0..<50 { files["many/\(number)"] = TestContent.noise(number, seed: UInt64(number)) }
        let content = try TestContent(files: files)
        let (packed, bytes) = (try content.packed(), try content.bytes())
        #expect(Int64(bytes.count) == packed.bytes)
        var generator = SeededGenerator(seed: 23)
        for _ in 0..<300 {
            let offset = Int.random(in: 0...bytes.count, using: &generator)
            let count = Int.random(in: 0...2000, using: &generator)
            let expected = bytes.dropFirst(offset).prefix(count)
            #expect(try packed.read(count, at: Int64(offset)) == Data(expected))
        }
    }

    @Test("The files are in the order of their paths' bytes, ContentInfo.plist first")
    func order() throws {
        let content = try TestContent(files: ["b": Data(), "a/z": Data(), "B": Data(), "a.txt": Data()])
        let paths = try content.packed().manifest.files.map(\.path.text)
        #expect(paths == ["ContentInfo.plist", "Contents/B", "Contents/a.txt", "Contents/a/z", "Contents/b"])
    }

    @Test("A packed file is the folder's bytes, and a shorter or longer one is refused")
    func file() throws {
        let content = try TestContent()
        let folder = try TemporaryFolder()
        for (name, bytes) in [
            ("good", try content.bytes()), ("short", try content.bytes().dropLast()),
            ("long", try content.bytes() + Data([0])), ("other", Data("other".utf8)), ("empty", Data()),
        ] {
            try bytes.write(to: folder.url.appending(path: name))
        }
        let packed = try PackedFile(folder.path("good"))
        #expect(packed.manifest == (try content.packed().manifest))
        #expect(try packed.checksum() == content.packed().checksum())
        for name in ["short", "long", "other", "empty"] {
            #expect(throws: ContentFormatError.self) { try PackedFile(folder.path(name)) }
        }
        #expect(throws: ContentStorageError.self) { try PackedFile(folder.path("missing")) }
    }

    @Test("A link, a pipe and a name that isn't UTF-8 are refused by their names")
    func oddFiles() throws {
        let linked = try TestContent()
        try FileManager.default.createSymbolicLink(
            atPath: "\(linked.path)/Contents/way-out", withDestinationPath: "/etc")
        #expect(Self.refusal(of: linked).contains("Contents/way-out is a link"))

        let piped = try TestContent()
        try #require(mkfifo("\(piped.path)/Contents/pipe", 0o600) == 0)
        #expect(Self.refusal(of: piped).contains("Contents/pipe is neither a file nor a folder"))

        let named = try TestContent()
        let descriptor = Array("\(named.path)/Contents/".utf8).map { CChar(bitPattern: $0) } + [-1, 0]
        try #require(close(creat(descriptor, 0o600)) == 0)
        #expect(Self.refusal(of: named).contains("isn't UTF-8"))
    }

    @Test("A folder without ContentInfo.plist, without files or with others beside Contents is refused")
    func otherFolders() throws {
        let bare = try TestContent()
        try FileManager.default.removeItem(atPath: "\(bare.path)/ContentInfo.plist")
        #expect(Self.refusal(of: bare).contains("has no ContentInfo.plist"))
        #expect(Self.refusal(of: try TestContent(files: [:])).contains("has no files"))
        let others = try TestContent()
        try others.write(Data(), to: "Read me.txt")
        #expect(Self.refusal(of: others).contains("Read me.txt"))
        #expect(throws: (any Error).self) { try PackedFolder("/dev/null") }
        #expect(throws: (any Error).self) { try PackedFolder("/nowhere") }
    }

    @Test("A file that changes its length while it is read isn't packed")
    func changed() throws {
        let content = try TestContent(files: ["a": TestContent.noise(100)])
        let packed = try content.packed()
        try content.write(TestContent.noise(50), to: "Contents/a")
        #expect(throws: ContentStorageError.self) { try packed.checksum() }
    }

    @Test("A file of two gigabytes is refused without being read")
    func tooLarge() throws {
        let content = try TestContent()
        // A file of holes: it has no blocks on the disk.
        try #require(truncate("\(content.path)/Contents/recipes.txt", off_t(ContentLimits.objectBytes) + 1) == 0)
        #expect(Self.refusal(of: content).contains("2147483648"))
    }
}
