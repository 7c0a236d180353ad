// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreAPI
import StoreService

struct ContentPackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack", abstract: "Pack a content package into one file.",
        discussion: """
            Checks the package as the store does: no links, no executable code, no names that a system may refuse. \
            Folders without files are left out. An upload of the folder itself needs no packing.
            """)

    @Argument(help: "The folder with ContentInfo.plist and Contents.")
    var folder: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file. Default: PRODUCT-VERSION.oskcontent here.", valueName: "file"))
    var output: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Packed: Encodable {
        var file: String
        var product: String
        var version: String
        var bytes: Int64
        var files: Int
    }

    func run() async throws {
        try await storectl.run {
            let source = try PackageArgument.open(folder)
            let manifest = source.manifest
            let name = "\(manifest.product)-\(manifest.version).oskcontent".replacing("/", with: "-")
            let target = output ?? name
            try Self.write(source, to: target)
            if json {
                return try printJSON(
                    Packed(
                        file: target, product: manifest.product, version: manifest.version, bytes: source.bytes,
                        files: manifest.files.count))
            }
            let size = ByteCount(bytes: source.bytes).text
            print("\(target): \(manifest.product) \(manifest.version), \(manifest.files.count) files, \(size)")
        }
    }

    /// Writes beside the target, and renames the complete file.
    private static func write(_ source: any PackedSource, to target: String) throws {
        let partial = "\(target).partial"
        guard FileManager.default.createFile(atPath: partial, contents: nil),
            let file = FileHandle(forWritingAtPath: partial)
        else { throw CommandFailure("The file \(partial) can't be made.") }
        let line = ProgressLine("Packing")
        defer { line.end() }
        do {
            var done: Int64 = 0
            try source.forEachBlock { data in
                try file.write(contentsOf: data)
                done += Int64(data.count)
                line.show(done, of: source.bytes)
            }
            try file.synchronize()
            try file.close()
            guard rename(partial, target) == 0 else {
                throw CommandFailure("\(target) can't be written: \(String(cString: strerror(errno))).")
            }
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw error
        }
    }
}
