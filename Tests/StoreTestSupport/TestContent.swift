// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreService

/// A content package in a temporary folder.
package struct TestContent: Sendable {
    private let folder: TemporaryFolder

    /// Writes a package whose files are in `Contents`.
    package init(
        product: String = "apple", version: String = "1.0",
        files: [String: Data] = ["recipes.txt": Data("An apple, baked.".utf8)]
    ) throws {
        folder = try TemporaryFolder()
        try write(Self.information(product: product, version: version), to: "ContentInfo.plist")
        try FileManager.default.createDirectory(
            atPath: folder.path("Contents"), withIntermediateDirectories: true)
        for (path, data) in files { try write(data, to: "Contents/\(path)") }
    }

    /// The bytes of a `ContentInfo.plist`.
    package static func information(product: String, version: String) -> Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>IAPProductIdentifier</key><string>\(product)</string>
                <key>ContentVersion</key><string>\(version)</string>
            </dict>
            </plist>
            """.utf8)
    }

    /// The folder of the package.
    package var path: String { folder.url.path }

    /// Writes a file of the package, with its folders.
    package func write(_ data: Data, to path: String) throws {
        let target = folder.path(path)
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: target).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: target))
    }

    package func packed() throws -> PackedFolder { try PackedFolder(path) }

    /// The packed object.
    package func bytes() throws -> Data {
        var bytes = Data()
        try packed().forEachBlock { bytes.append($0) }
        return bytes
    }

    /// Bytes that look random, and are the same in each run.
    package static func noise(_ count: Int, seed: UInt64 = 1) -> Data {
        var generator = SeededGenerator(seed: seed)
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}

extension TestStore {
    /// Uploads a content in parts, and publishes it.
    @discardableResult
    package func publish(_ content: TestContent) async throws -> Control.ContentVersion {
        try await Control.ContentVersion(publishing: content.packed(), of: Self.bundleIdentifier, in: context)
    }
}
