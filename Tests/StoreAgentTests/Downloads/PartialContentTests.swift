// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("A content on disk that isn't complete")
struct PartialContentTests {
    private let temporary: TemporaryFolder
    private let content: HostedContent

    init() throws {
        temporary = try TemporaryFolder()
        content = try .small()
    }

    private func folder(_ name: String = "a.partial", earlier: URL? = nil) -> ContentFolder {
        ContentFolder(
            url: temporary.url.appendingPathComponent(name), files: FaultyFiles(FaultyDisk()), earlier: earlier)
    }

    /// Opens the content, as each process does that goes on with it.
    private func open(
        _ content: HostedContent, in folder: ContentFolder? = nil
    ) throws -> PartialContent {
        try PartialContent(in: folder ?? self.folder(), of: content.answer)
    }

    /// Takes the missing bytes until there are none.
    private func complete(_ partial: inout PartialContent, from content: HostedContent) throws {
        while let range = partial.missing {
            try partial.take(content.object[Int(range.lowerBound)..<Int(range.upperBound)], at: range.lowerBound)
        }
        try partial.verify()
        partial.close()
    }

    private func install(_ partial: PartialContent) throws -> URL {
        let contents = temporary.url.appendingPathComponent("Content")
        return contents.appendingPathComponent(try partial.folder.install(partial.answer.checksum, into: contents))
    }

    @Test("A transfer that is cut at any byte goes on in another process at this byte")
    func everyByte() throws {
        for cut in 0...content.object.count {
            let folder = folder("\(cut).partial")
            var first = try open(content, in: folder)
            try first.take(content.object.prefix(cut), at: 0)
            first.close()

            var second = try open(content, in: folder)
            // The head is kept as a whole.
            let expected = cut < Int(content.head.bytes) ? 0 : cut
            let missing = second.missing
            if cut == content.object.count {
                #expect(missing == nil)
            } else {
                #expect(missing?.lowerBound == Int64(expected), "cut at \(cut)")
                #expect(missing?.upperBound == Int64(content.object.count))
            }
            try complete(&second, from: content)
            #expect(try content.isSame(as: folder.content), "cut at \(cut)")
        }
    }

    @Test("Bytes that arrive one by one, or all in one part, make the same files", arguments: [1, 7, 13, 10_000])
    func partSizes(_ size: Int) throws {
        var partial = try open(content)
        var position = 0
        while position < content.object.count {
            let end = min(position + size, content.object.count)
            try partial.take(content.object[position..<end], at: Int64(position))
            position = end
        }
        #expect(partial.missing == nil && partial.progress?.received == content.length)
        try complete(&partial, from: content)
        #expect(try content.isSame(as: try install(partial)))
    }

    @Test("A server that sends the whole object again repeats no byte on disk")
    func wholeAgain() throws {
        var first = try open(content)
        try first.take(content.object.dropLast(20), at: 0)
        first.close()
        var second = try open(content)
        try second.take(content.object, at: 0)

        #expect(second.missing == nil)
        try complete(&second, from: content)
        #expect(try content.isSame(as: try install(second)))
    }

    @Test("An altered byte is found at every place")
    func everyAlteredByte() throws {
        for place in content.object.indices {
            var altered = content.object
            altered[place] ^= 0x20
            let folder = folder("\(place).partial")
            var partial = try open(content, in: folder)
            #expect(throws: DamagedContent.self, "byte \(place)") {
                try partial.take(altered, at: 0)
                guard partial.missing == nil else { throw DamagedContent("not complete") }
                try partial.verify()
            }
            partial.close()
        }
    }

    @Test("A complete file that was altered on disk is transferred again, and no other")
    func alteredOnDisk() throws {
        var first = try open(content)
        try first.take(content.object.dropLast(1), at: 0)
        first.close()
        let file = folder().content.appendingPathComponent("Contents/pictures/a.png")
        try Data(repeating: 9, count: 40).write(to: file)

        var second = try open(content)
        let missing = try #require(second.missing)
        #expect(missing.upperBound - missing.lowerBound == 40)
        try complete(&second, from: content)
        #expect(try content.isSame(as: try install(second)))
    }

    @Test("Bytes of an incomplete file that were altered on disk are found at its end")
    func alteredBeforeTheEnd() throws {
        let range = try #require(content.head.ranges.last)
        var first = try open(content)
        try first.take(content.object.prefix(Int(range.upperBound) - 5), at: 0)
        first.close()
        let file = folder().content.appendingPathComponent("Contents/recipe.txt")
        try Data("XXXXXXXXXX".utf8).write(to: file)

        var second = try open(content)
        #expect(throws: DamagedContent.self) { try complete(&second, from: content) }
    }

    @Test("A file that is too long is transferred again")
    func tooLong() throws {
        var first = try open(content)
        try first.take(content.object, at: 0)
        first.close()
        try Data(repeating: 9, count: 41).write(to: folder().content.appendingPathComponent("Contents/pictures/a.png"))

        var second = try open(content)
        #expect(second.missing != nil)
        try complete(&second, from: content)
        #expect(try content.isSame(as: try install(second)))
    }

    @Test("Another version keeps the files that are the same, and removes the others")
    func anotherVersion() throws {
        var first = try open(content)
        try first.take(content.object, at: 0)
        first.close()
        let pictures = content.files.filter { $0.key.contains("pictures") }
        let next = try HostedContent(
            version: "2.0", pictures.merging(["Contents/recipe.txt": Data("Eat it.".utf8)]) { $1 })

        var second = try open(next)
        try second.take(next.object.prefix(Int(next.head.bytes)), at: 0)
        let kept = Int64(pictures.values.reduce(0) { $0 + $1.count })
        #expect(second.progress?.received == kept)
        try complete(&second, from: next)
        #expect(try next.isSame(as: try install(second)))
    }

    @Test("A folder of one version may be a file of the next, and the reverse")
    func foldersAndFiles() throws {
        let old = try HostedContent(["Contents/a/b": Data("1".utf8), "Contents/c": Data("2".utf8)])
        let new = try HostedContent(
            version: "2.0", ["Contents/a": Data("3".utf8), "Contents/c/d": Data("4".utf8)])
        var first = try open(old)
        try complete(&first, from: old)
        var second = try open(new)
        try complete(&second, from: new)
        #expect(try new.isSame(as: try install(second)))
    }

    @Test("The files of the product's finished content aren't transferred again")
    func earlier() throws {
        var first = try open(content)
        try complete(&first, from: content)
        let installed = try install(first)
        let next = try HostedContent(
            version: "2.0", content.files.merging(["Contents/new": Data("new".utf8)]) { $1 })

        var second = try open(next, in: folder("b.partial", earlier: installed))
        var requested: Int64 = 0
        while let range = second.missing {
            let bytes = range.lowerBound < next.head.bytes ? 0..<next.head.bytes : range
            requested += bytes.upperBound - bytes.lowerBound
            try second.take(next.object[Int(bytes.lowerBound)..<Int(bytes.upperBound)], at: bytes.lowerBound)
        }
        try second.verify()
        // ContentInfo.plist has the version.
        let changed = try #require(next.files["ContentInfo.plist"]).count + 3
        #expect(requested == next.head.bytes + Int64(changed))
        #expect(try next.isSame(as: try install(second)))
    }

    @Test("A file of the finished content that the app has changed is transferred again")
    func changedByTheApp() throws {
        var first = try open(content)
        try complete(&first, from: content)
        let installed = try install(first)
        let recipe = installed.appendingPathComponent("Contents/recipe.txt")
        try Data("Grill the apple".utf8).write(to: recipe)

        var second = try open(content, in: folder("b.partial", earlier: installed))
        try complete(&second, from: content)
        #expect(try content.isSame(as: second.folder.content))
    }

    @Test("The same content that is installed again replaces the folder")
    func installedAgain() throws {
        var first = try open(content)
        try complete(&first, from: content)
        let installed = try install(first)
        try Data("the app's".utf8).write(to: installed.appendingPathComponent("Contents/extra"))

        var second = try open(content, in: folder("b.partial"))
        try complete(&second, from: content)
        #expect(try install(second) == installed)
        #expect(try content.isSame(as: installed))
    }

    @Test("A head of another length, product or version isn't accepted")
    func otherHeads() throws {
        let changes: [@Sendable (inout ContentAnswer) -> Void] = [
            { $0.length += 1 }, { $0.product = "other" }, { $0.version = "9" },
        ]
        for (number, change) in changes.enumerated() {
            var answer = content.answer
            change(&answer)
            var partial = try PartialContent(in: folder("\(number).partial"), of: answer)
            #expect(throws: DamagedContent.self) { try partial.take(content.object, at: 0) }
        }
    }

    @Test("An object without a head is damaged")
    func noHead() throws {
        for object in [Data(count: 200), Data("OSKCONT1".utf8) + Data(repeating: 0xFF, count: 100)] {
            var partial = try open(content)
            #expect(throws: DamagedContent.self) { try partial.take(object, at: 0) }
        }
    }
}
