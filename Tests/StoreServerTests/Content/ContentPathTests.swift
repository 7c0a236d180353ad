// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

/// The paths of files in a packed content.
struct ContentPathTests {
    @Test(
        "Paths inside of the package are allowed",
        arguments: [
            "ContentInfo.plist", "Contents/a", "Contents/a/b/c.txt", "Contents/..a", "Contents/a..", "Contents/...",
            "Contents/ä", "Contents/日本語", "Contents/a b", "Contents/.hidden", "Contents/-rf", "Contents/~",
        ])
    func allowed(path: String) throws {
        #expect(try ContentPath(path).text == path)
    }

    @Test(
        "A path that leaves the package, or that a system may refuse, is refused",
        arguments: [
            "", "/", ".", "..", "/etc/passwd", "../a", "Contents", "Contents/", "Contents//a", "Contents/.",
            "Contents/./a", "Contents/..", "Contents/../a", "Contents/a/../../b", "contents/a", "Other/a",
            "ContentInfo.plist/a", "Contents\\a", "Contents/a\\b", "Contents/a\0b", "Contents/a\nb", "Contents/\u{7F}",
            "Contents/\u{85}", "Contents/" + String(repeating: "x", count: 256),
            // One character with the slash before it.
            "Contents/\u{301}/../../b", "./Contents/a", "C:/Contents/a",
            "Contents/" + Array(repeating: "d", count: 32).joined(separator: "/"),
            "Contents/" + Array(repeating: String(repeating: "x", count: 200), count: 6).joined(separator: "/"),
        ])
    func refused(path: String) {
        let error = #expect(throws: ContentFormatError.self) { try ContentPath(path) }
        #expect(error?.code == .path)
    }

    @Test("The longest name, the longest path and the deepest folder are allowed")
    func longest() throws {
        let deepest = "Contents/" + Array(repeating: "d", count: 31).joined(separator: "/")
        #expect(try ContentPath(deepest).parts.count == ContentLimits.depth)
        _ = try ContentPath("Contents/" + String(repeating: "x", count: ContentLimits.partBytes))
        let folders = Array(repeating: String(repeating: "x", count: 202), count: 5).joined(separator: "/")
        #expect(try ContentPath("Contents/\(folders)").text.utf8.count == ContentLimits.pathBytes - 1)
    }

    @Test("Every path that is allowed stays in its folder")
    func staysInside() throws {
        var generator = SeededGenerator(seed: 11)
        let parts = ["Contents", "ContentInfo.plist", "..", ".", "", "a", "/", "\\", "\u{301}", "\0", "é", "..."]
        var allowed = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...6, using: &generator)
            let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined(separator: "/")
            guard let path = try? ContentPath(text) else { continue }
            allowed += 1
            let target = URL(fileURLWithPath: "/package/\(path)").standardizedFileURL.path
            #expect(target.hasPrefix("/package/Content"), "\(text.debugDescription)")
            #expect(target.utf8.elementsEqual("/package/\(text)".utf8), "\(text.debugDescription)")
        }
        #expect(allowed > 100)
    }

    @Test("The folders of a path are listed from the outermost")
    func folders() throws {
        #expect(try ContentPath("Contents/a/b.txt").folders == ["Contents", "Contents/a"])
        #expect(ContentPath.information.folders.isEmpty)
    }
}
