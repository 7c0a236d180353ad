// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreAPI
package import StoreDomain
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
    /// The calls of an upload, one at a time.
    package func begin(_ content: TestContent, version: String? = nil) async throws -> Control.UploadAnswer {
        let packed = try content.packed()
        return try await Control.UploadAnswer(
            beginning: Control.BeginUploadCall(
                bundle: Self.bundleIdentifier, product: packed.manifest.product,
                version: version ?? packed.manifest.version, bytes: packed.bytes, checksum: try packed.checksum()),
            in: context)
    }

    /// Sends the next part of an upload.
    package func append(_ content: TestContent, to begun: Control.UploadAnswer) async throws -> Control.UploadAnswer {
        try await Control.UploadAnswer(
            receiving: content.packed().read(begun.partBytes, at: begun.received), of: begun.upload ?? "",
            at: begun.received, in: context)
    }

    /// Publishes an upload that has all of its parts.
    package func publish(_ begun: Control.UploadAnswer) async throws -> Control.ContentVersion {
        try await Control.ContentVersion(publishing: Control.UploadCall(upload: begun.upload ?? ""), in: context)
    }

    /// The files in the folder of content, of uploads and of objects.
    package func contentFiles() throws -> (uploads: [String], objects: [String]) {
        func files(in name: String) throws -> [String] {
            let all = FileManager.default.enumerator(atPath: contentFolder.path(name))?.allObjects as? [String] ?? []
            return all.filter { path in
                var isFolder: ObjCBool = false
                let exists = FileManager.default.fileExists(
                    atPath: contentFolder.path("\(name)/\(path)"), isDirectory: &isFolder)
                return exists && !isFolder.boolValue
            }
        }
        return (try files(in: "uploads"), try files(in: "objects"))
    }

    /// Uploads a content in parts, and publishes it. Its folder, which is
    /// deleted with the value, stays until then.
    @discardableResult
    package func publish(
        _ content: TestContent, of bundle: String = TestStore.bundleIdentifier, in context: StoreContext? = nil
    ) async throws -> Control.ContentVersion {
        defer { withExtendedLifetime(content) {} }
        return try await Control.ContentVersion(
            publishing: content.packed(), of: bundle, in: context ?? self.context)
    }
}
