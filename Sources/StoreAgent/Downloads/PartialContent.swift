// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreCore

/// The part of a packed content that is on disk.
///
/// A folder has the object's head, in a file with the object's checksum in its
/// name, and the files of the content, each with the bytes that have arrived.
/// The place where the transfer goes on is derived from these files, so that
/// no step has to be recorded elsewhere. A file is complete when its size and
/// its checksum are those of the manifest.
struct PartialContent {
    let folder: ContentFolder
    let answer: ContentAnswer
    private(set) var progress: ContentProgress?
    /// The bytes of a head that isn't complete.
    private var early = Data()
    private var open: OpenFile?
    /// The hash of the whole object so far; `nil` when some of it was on disk
    /// before.
    private var whole: SHA256? = SHA256()

    private struct OpenFile {
        let file: any WritableFile
        var hash: SHA256
    }

    /// Reads and verifies the files that an earlier transfer has left.
    ///
    /// - Throws: ``AgentError`` with the code `home`, ``DamagedContent``.
    init(in folder: ContentFolder, of answer: ContentAnswer) throws {
        self.folder = folder
        self.answer = answer
        try folder.create()
        guard let head = try folder.head(answer.checksum) else { return }
        whole = nil
        try check(head)
        try adopt(head)
    }

    /// The place of the first missing byte in the object; `nil` when all files
    /// are complete.
    var next: Int64? { progress.map(\.next) ?? Int64(early.count) }

    /// The bytes to request next; `nil` when all files are complete.
    var missing: Range<Int64>? {
        guard let progress else { return Int64(early.count)..<max(Int64(early.count), answer.length) }
        return progress.missing
    }

    /// Writes those of some bytes of the object that are missing.
    ///
    /// - Throws: ``AgentError`` with the code `home`, ``DamagedContent``.
    mutating func take(_ bytes: Data, at position: Int64) throws {
        var (rest, position) = (bytes, position)
        while !rest.isEmpty, let next, position <= next {
            let count: Int
            if position < next {
                count = Int(min(Int64(rest.count), next - position))
            } else {
                count = progress == nil ? try takeHead(rest) : try append(rest)
            }
            rest = rest.dropFirst(count)
            position += Int64(count)
        }
    }

    /// Closes the open file.
    mutating func close() {
        open?.file.close()
        open = nil
    }

    /// Takes bytes of the head.
    ///
    /// - Returns: their number; the bytes of files follow.
    private mutating func takeHead(_ bytes: Data) throws -> Int {
        do {
            let part = bytes.prefix(try headLength() - early.count)
            early.append(part)
            whole?.update(data: part)
            guard early.count == (try headLength()) else { return part.count }
            let head = try ContentHead(decoding: early)
            try check(head)
            try folder.removeIncompleteFiles(of: head.manifest)
            try folder.save(early, checksum: answer.checksum)
            early = Data()
            try adopt(head)
            return part.count
        } catch let error as ContentFormatError {
            throw DamagedContent("The content's head can't be read: \(PrintableText.of(error.message, limit: 500))")
        }
    }

    /// The length of the head, as far as its bytes show it.
    private func headLength() throws -> Int {
        let prefix = ContentHead.prefixBytes
        return early.count < prefix ? prefix : try ContentHead.bytes(prefix: early.prefix(prefix))
    }

    private func check(_ head: ContentHead) throws {
        guard head.objectBytes == answer.length, head.manifest.product == answer.product,
            head.manifest.version == answer.version
        else {
            throw DamagedContent("The content's head isn't the one that the store has announced.")
        }
    }

    private mutating func adopt(_ head: ContentHead) throws {
        let progress = ContentProgress(head, present: try folder.bytes(of: head.manifest, checksum: answer.checksum))
        if progress.received > 0 { whole = nil }
        self.progress = progress
    }

    /// Verifies the whole object after its last byte: a file's checksum
    /// doesn't cover its path.
    ///
    /// - Throws: ``AgentError`` with the code `home`, ``DamagedContent``.
    mutating func verify() throws {
        guard let manifest = progress?.head.manifest else { return }
        let hash = try whole ?? folder.hash(of: manifest, checksum: answer.checksum)
        guard hash.finalize().hexadecimal != answer.checksum else { return }
        throw DamagedContent("The content isn't the one that the store has announced.")
    }

    /// Appends bytes to the first file that isn't complete, and verifies the
    /// file after its last byte.
    ///
    /// - Returns: their number.
    private mutating func append(_ bytes: Data) throws -> Int {
        guard let progress, let file = progress.file else { return bytes.count }
        if open == nil {
            let (opened, hash) = try folder.open(file, after: progress.bytesOfFile)
            open = OpenFile(file: opened, hash: hash)
        }
        let part = bytes.prefix(Int(min(Int64(bytes.count), file.size - progress.bytesOfFile)))
        open?.hash.update(data: part)
        whole?.update(data: part)
        try open?.file.write(part)
        guard self.progress?.add(part.count) == true else { return part.count }
        let isVerified = open?.hash.finalize().hexadecimal == file.sha256
        close()
        if !isVerified { folder.remove(file) }
        self.progress?.end(isVerified: isVerified)
        guard isVerified else { throw DamagedContent(file) }
        return part.count
    }
}

/// The error for bytes that aren't those that the store has announced.
struct DamagedContent: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ file: ContentManifest.File) {
        self.init("\(PrintableText.of(file.path.text, limit: 200)) isn't the file that the store has announced.")
    }
}

extension SHA256.Digest {
    /// Lower-case hexadecimal.
    var hexadecimal: String { Data(self).hexadecimal }
}
