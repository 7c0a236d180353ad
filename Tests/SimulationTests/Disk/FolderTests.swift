// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreTestSupport
import Testing

/// Folders of a simulated disk, as the agent uses them for content.
struct FolderTests {
    private let disk = SimulatedDisk()

    private func files(_ process: String) -> SimulatedFiles {
        SimulatedFiles(life: ProcessLife(process, on: disk), root: "/" + process)
    }

    private func url(_ process: String, _ path: String) -> URL { URL(fileURLWithPath: "/\(process)/\(path)") }

    /// Makes two files durable in a folder.
    private func make(_ folder: String, _ files: SimulatedFiles) throws {
        for name in ["a", "b"] {
            let file = try files.makeFile(url("first", "\(folder)/\(name)"))
            try file.write(Data(name.utf8))
        }
        try files.synchronise(contentsOf: url("first", folder))
    }

    private func restart(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        disk.restart(&random)
    }

    @Test("A removed folder stays away after a power cut once the folder above is synchronised", arguments: 1...10)
    func removed(seed: Int) throws {
        let first = files("first")
        try make("top/inner/deep", first)
        // A file whose name isn't durable when its folder is removed.
        try first.makeFile(url("first", "top/inner/new")).write(Data("c".utf8))
        try first.removeFolder(url("first", "top/inner"))
        try first.synchronise(folder: url("first", "top"))

        restart(seed)

        #expect(!files("second").isFolder(url("second", "top/inner")))
    }

    @Test("A folder that replaces another one is there after a power cut", arguments: 1...10)
    func replaced(seed: Int) throws {
        let first = files("first")
        try make("content/one", first)
        try make("partial/files", first)
        try first.rename(url("first", "content/one"), to: url("first", "partial/replaced"))
        try first.rename(url("first", "partial/files"), to: url("first", "content/one"))
        try first.synchronise(folder: url("first", "partial"))
        try first.synchronise(folder: url("first", "content"))
        try first.removeFolder(url("first", "partial"))

        restart(seed)

        #expect(files("second").names(in: url("second", "content/one")) == ["a", "b"])
    }

    @Test("A file that was removed and made again moves with its folder", arguments: 1...10)
    func movedAgain(seed: Int) throws {
        let first = files("first")
        try make("partial/files", first)
        first.remove(url("first", "partial/files/a"))
        try make("partial/files", first)
        try first.rename(url("first", "partial/files"), to: url("first", "content"))
        for folder in ["partial", ""] { try first.synchronise(folder: url("first", folder)) }

        restart(seed)

        #expect(files("second").names(in: url("second", "content")) == ["a", "b"])
    }

    @Test("A folder that was removed and made again is there after a power cut", arguments: 1...10)
    func madeAgain(seed: Int) throws {
        let first = files("first")
        try make("content/apple/one", first)
        try first.removeFolder(url("first", "content/apple"))
        try make("partial/files", first)
        try first.rename(url("first", "partial/files"), to: url("first", "content/apple/one"))
        for folder in ["partial", "content/apple", "content"] {
            try first.synchronise(folder: url("first", folder))
        }

        restart(seed)

        #expect(files("second").names(in: url("second", "content/apple/one")) == ["a", "b"])
    }
}
