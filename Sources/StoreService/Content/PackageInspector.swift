// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreCore
import StoreDomain

/// Checks a packed object while its bytes pass: the head, each file's size,
/// checksum and kind, `ContentInfo.plist`, and that nothing follows.
///
/// It keeps the manifest and at most one small file in memory.
struct PackageInspector {
    private var head: ContentHead?
    /// The bytes of the head until it is complete.
    private var beginning = Data()
    /// The file whose bytes pass.
    private var file: PassingFile?
    private var place = 0
    private var information: ContentInformation?
    private var whole = SHA256()
    private var bytes: Int64 = 0

    /// The manifest, when the head has passed.
    var manifest: ContentManifest? { head?.manifest }

    private struct PassingFile {
        var rest: Int64
        var hash = SHA256()
        /// The first bytes; all of them for `ContentInfo.plist`.
        var kept = Data()
        var keeps: Int
    }

    /// Checks the next bytes.
    ///
    /// - Throws: `ContentFormatError`, or `DomainError` `invalid` with the
    ///   path of the file that is refused.
    mutating func consume(_ data: Data) throws {
        whole.update(data: data)
        bytes += Int64(data.count)
        var rest = data[...]
        if head == nil { try readHead(&rest) }
        guard let head else { return }
        while !rest.isEmpty {
            try endFiles(of: head.manifest)
            guard file != nil else {
                throw ContentFormatError(.manifest, "The packed content has more bytes than its manifest counts.")
            }
            pass(&rest)
        }
    }

    /// Ends the check.
    ///
    /// - Throws: The errors of ``consume(_:)``, also for missing bytes.
    mutating func finish() throws -> PublishingContent.Checked {
        guard let head else { throw ContentFormatError(.manifest, "The packed content ends in its head.") }
        try endFiles(of: head.manifest)
        guard file == nil, let information else {
            throw ContentFormatError(.manifest, "The packed content ends before its last file.")
        }
        let manifest = head.manifest
        guard information.product == manifest.product, information.version == manifest.version else {
            throw DomainError(.invalid, "ContentInfo.plist names another product or version than the manifest.")
        }
        return PublishingContent.Checked(
            product: manifest.product, version: manifest.version,
            files: HostedContent.Files(count: manifest.files.count, bytes: manifest.fileBytes), bytes: bytes,
            checksum: Data(whole.finalize()).hexadecimal)
    }

    private mutating func readHead(_ rest: inout Data) throws {
        func take(until count: Int, _ beginning: inout Data) {
            let missing = max(0, count - beginning.count)
            beginning.append(rest.prefix(missing))
            rest = rest.dropFirst(missing)
        }
        take(until: ContentHead.prefixBytes, &beginning)
        guard beginning.count >= ContentHead.prefixBytes else { return }
        let length = try ContentHead.bytes(prefix: beginning.prefix(ContentHead.prefixBytes))
        take(until: length, &beginning)
        guard beginning.count == length else { return }
        head = try ContentHead(decoding: beginning)
        beginning = Data()
        beginFile()
    }

    private mutating func beginFile() {
        guard let files = head?.manifest.files, place < files.count else { return file = nil }
        file = PassingFile(
            rest: files[place].size, keeps: place == 0 ? ContentInformation.limit + 1 : ExecutableCode.beginning)
    }

    /// Moves bytes to the present file.
    private mutating func pass(_ rest: inout Data) {
        guard var passing = file else { return }
        file = nil
        let part = rest.prefix(Int(min(passing.rest, Int64(rest.count))))
        passing.hash.update(data: part)
        passing.kept.append(part.prefix(max(0, passing.keeps - passing.kept.count)))
        passing.rest -= Int64(part.count)
        file = passing
        rest = rest.dropFirst(part.count)
    }

    /// Checks the present file if it is complete, and those after it that are
    /// empty.
    private mutating func endFiles(of manifest: ContentManifest) throws {
        while let passing = file, passing.rest == 0 {
            let listed = manifest.files[place]
            guard Data(passing.hash.finalize()).hexadecimal == listed.sha256 else {
                throw DomainError(.invalid, "\(listed.path) has another checksum than the manifest.")
            }
            if let kind = ExecutableCode.kind(of: listed.path, beginning: passing.kept) {
                throw DomainError(.invalid, "\(listed.path) is \(kind): content has no executable code.")
            }
            if place == 0 { information = try ContentInformation(passing.kept) }
            place += 1
            beginFile()
        }
    }
}

extension PackageInspector {
    /// Reads and checks all bytes of an upload.
    ///
    /// - Throws: The errors of ``consume(_:)`` and of the reader.
    static func check(_ reader: any ContentReader) async throws -> PublishingContent.Checked {
        var inspector = PackageInspector()
        while let part = try await reader.next() {
            try Task.checkCancellation()
            try inspector.consume(part)
        }
        return try inspector.finish()
    }
}
