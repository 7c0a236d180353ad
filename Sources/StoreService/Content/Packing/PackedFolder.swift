// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation
package import StoreAPI
import StoreCore
import StoreDomain

/// A content package in a folder, which is packed while it is read. Packing
/// needs no second copy of the files.
package struct PackedFolder: PackedSource {
    package let manifest: ContentManifest
    private let root: String
    private let head: Data
    private let ranges: [Range<Int64>]

    package var bytes: Int64 { ranges.last?.upperBound ?? Int64(head.count) }

    /// Lists the files, and computes the checksum of each.
    ///
    /// `progress` is called with the number of bytes that were read, and of
    /// all.
    ///
    /// - Throws: `DomainError` `invalid` and `ContentFormatError` for a
    ///   package that the store would refuse; ``ContentStorageError`` for a
    ///   file that can't be read.
    package init(_ root: String, progress: (Int64, Int64) -> Void = { _, _ in }) throws {
        let folder = try PackageFolder(root)
        let total = folder.entries.reduce(0) { $0 + $1.size }
        guard total <= ContentLimits.objectBytes else { throw PackedFile.tooLarge(total) }
        var done: Int64 = 0
        let files = try folder.entries.map { entry in
            let digest = try Self.digest(of: entry, in: root) { done += $0 }
            progress(done, total)
            return ContentManifest.File(path: entry.path, size: entry.size, sha256: digest)
        }
        let information = try ContentInformation(
            StorageFile("\(root)/\(ContentPath.information)", for: .read).read(ContentInformation.limit + 1, at: 0))
        manifest = try ContentManifest(product: information.product, version: information.version, files: files)
        head = try ContentHead.encode(manifest)
        ranges = try ContentHead(decoding: head).ranges
        self.root = root
    }

    private static func digest(
        of entry: PackageFolder.Entry, in root: String, counting: (Int64) -> Void
    ) throws -> String {
        let file = try StorageFile("\(root)/\(entry.path)", for: .read)
        var hash = SHA256()
        var offset: Int64 = 0
        while true {
            let data = try file.read(block, at: offset)
            if offset == 0, let kind = ExecutableCode.kind(of: entry.path, beginning: data.prefix(8)) {
                throw DomainError(.invalid, "\(entry.path) is \(kind): content has no executable code.")
            }
            guard !data.isEmpty else { break }
            hash.update(data: data)
            offset += Int64(data.count)
            counting(Int64(data.count))
        }
        guard offset == entry.size else { throw changed(entry.path) }
        return Data(hash.finalize()).hexadecimal
    }

    private static func changed(_ path: ContentPath) -> ContentStorageError {
        ContentStorageError(.missing, "\(path) has changed while it was read")
    }

    package func read(_ count: Int, at offset: Int64) throws -> Data {
        let wanted = offset..<min(offset + Int64(count), bytes)
        var data = Data(capacity: wanted.count)
        if offset < head.count { data.append(head[Int(offset)..<min(Int(wanted.upperBound), head.count)]) }
        var place = Self.first(endingAfter: offset, in: ranges)
        while place < ranges.count, ranges[place].lowerBound < wanted.upperBound {
            let part = ranges[place].clamped(to: wanted)
            if !part.isEmpty { data.append(try read(part, ofFileAt: place)) }
            place += 1
        }
        return data
    }

    /// Reads a range of the object that is in one file.
    private func read(_ part: Range<Int64>, ofFileAt place: Int) throws -> Data {
        let path = manifest.files[place].path
        let read = try StorageFile("\(root)/\(path)", for: .read)
            .read(part.count, at: part.lowerBound - ranges[place].lowerBound)
        guard read.count == part.count else { throw Self.changed(path) }
        return read
    }

    /// The place of the first file whose bytes end after an offset, by
    /// bisection: a package may have a hundred thousand files.
    private static func first(endingAfter offset: Int64, in ranges: [Range<Int64>]) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
