// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The part of an authority that changes while it is in use: its leaves and
/// its revocations.
///
/// Several processes can use the same directory, for example a store and the
/// command that revokes one of its certificates. Each use therefore compares
/// the number, date and length of the index file with those of the last read,
/// and reads the file again if they differ.
final class AuthorityState: Sendable {
    struct Contents: Sendable {
        var index: AuthorityIndex
        var leaves: [LeafSlot: SigningAuthority.Member]
    }

    private struct Stamp: Equatable {
        var number: Int?
        var date: Date?
        var length: Int?
    }

    /// The directory of the index, or nil if the authority is in memory only.
    let directory: URL?
    private let initialLeaves: [LeafSlot: SigningAuthority.Member]
    private let contents: Mutex<(contents: Contents, stamp: Stamp?)>

    init(directory: URL?, initialLeaves: [LeafSlot: SigningAuthority.Member]) {
        self.directory = directory
        self.initialLeaves = initialLeaves
        contents = Mutex((Contents(index: AuthorityIndex(), leaves: initialLeaves), nil))
    }

    /// Returns the contents, and reads them again if the index file was
    /// replaced.
    ///
    /// - Throws: ``AppReceiptError/Code/authorityUnreadable`` or
    ///   ``AppReceiptError/Code/authorityDamaged`` if the index was changed
    ///   and can't be read.
    func current() throws(AppReceiptError) -> Contents {
        guard let directory else { return contents.withLock { $0.contents } }
        // The stamp is taken first: if the index is replaced before it is
        // read, the next use reads it again.
        let stamp = Self.stamp(of: directory)
        if let known = contents.withLock({ $0.stamp == stamp ? $0.contents : nil }) { return known }
        let read = try Self.read(directory, initialLeaves: initialLeaves)
        contents.withLock { $0 = (read, stamp) }
        return read
    }

    /// Changes the index and the leaves, also in the directory if there is
    /// one.
    func change(_ body: (inout Contents) throws -> Void) throws {
        guard let directory else {
            return try contents.withLock { state in
                try body(&state.contents)
                state.contents.index.revision += 1
            }
        }
        try withExclusiveLock(on: directory.appendingPathComponent(AuthorityFiles.lock)) {
            var changed = try Self.read(directory, initialLeaves: initialLeaves)
            let before = changed
            try body(&changed)
            changed.index.revision += 1
            try Self.write(changed, to: directory, replacing: before)
        }
    }

    private static func stamp(of directory: URL) -> Stamp {
        let path = directory.appendingPathComponent(AuthorityFiles.index).path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return Stamp(
            number: (attributes?[.systemFileNumber] as? NSNumber)?.intValue,
            date: attributes?[.modificationDate] as? Date,
            length: (attributes?[.size] as? NSNumber)?.intValue)
    }
}
