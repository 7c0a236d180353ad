// SPDX-License-Identifier: Apache-2.0

package import Foundation
import SwiftASN1

/// A directory with an authority's files.
package struct AuthorityFolder: AuthorityStorage {
    let directory: URL

    package init(_ directory: URL) {
        self.directory = directory
    }

    /// The directory's path.
    package var name: String { directory.path }

    /// Whether the directory is missing or has no files.
    package var isEmpty: Bool {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).isEmpty
    }

    /// Reads the files that exist; `nil` if the directory is missing or
    /// empty.
    ///
    /// Another process or task may replace the leaves meanwhile, and remove
    /// the keys of those that the index named. The files are read again then,
    /// so that index and files belong together.
    ///
    /// - Throws: ``AppReceiptError/Code/authorityUnreadable`` or
    ///   ``AppReceiptError/Code/authorityDamaged``.
    package func read() throws -> AuthorityRecord? { try read(betweenIndexAndFiles: {}) }

    /// The variant for tests, which calls a closure after each reading of the
    /// index.
    func read(betweenIndexAndFiles interrupt: () throws -> Void) throws -> AuthorityRecord? {
        guard !isEmpty else { return nil }
        var index = try readIndex()
        while true {
            try interrupt()
            let record = try record(of: index)
            let newest = try readIndex()
            if newest == index { return record }
            index = newest
        }
    }

    private func record(of index: AuthorityIndex) throws(AppReceiptError) -> AuthorityRecord {
        let names = ChainKind.all.flatMap(AuthorityFiles.names) + (index.leaves + index.retired).map(\.files.path)
        var entries: [String: AuthorityRecord.Entry] = [:]
        for name in names {
            let files = AuthorityFiles(path: name)
            guard let certificate = try text(of: files.certificate) else { continue }
            entries[name] = AuthorityRecord.Entry(certificate: certificate, key: try text(of: files.key))
        }
        return AuthorityRecord(entries: entries, index: index)
    }

    /// Writes all files into a temporary folder beside the directory, which
    /// is then renamed.
    ///
    /// - Throws: ``AppReceiptError/Code/authorityNotWritable``.
    @discardableResult
    package func create(_ record: AuthorityRecord, using random: inout some RandomNumberGenerator) throws -> Bool {
        try StoredFolder(directory).appear(using: &random) { folder in
            let new = AuthorityFolder(folder)
            try new.add(record.entries)
            guard record.index.revision > 0 else { return }
            try new.write(record.index, to: folder.appendingPathComponent(AuthorityFiles.index))
        }
    }

    /// Changes the index under a lock, which other processes wait for.
    ///
    /// - Throws: ``AppReceiptError``, or the closure's error.
    package func change(_ body: (inout AuthorityRecord) throws -> Void) throws -> AuthorityRecord {
        try withExclusiveLock(on: directory.appendingPathComponent(AuthorityFiles.lock)) {
            guard let before = try read() else {
                throw AppReceiptError(.authorityUnreadable, "\(directory.path) has no authority")
            }
            var record = before
            try body(&record)
            if record != before { try write(record, replacing: before) }
            return record
        }
    }

    /// The number, date and length of the index file, which each change
    /// replaces.
    package func stamp() -> AuthorityStamp? {
        let path = directory.appendingPathComponent(AuthorityFiles.index).path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return AuthorityStamp(
            number: (attributes?[.systemFileNumber] as? NSNumber)?.intValue,
            date: attributes?[.modificationDate] as? Date,
            length: (attributes?[.size] as? NSNumber)?.intValue)
    }

    /// Returns `nil`, because ``stamp()`` finds the changes.
    package func read(ifNot revision: Int) async throws -> AuthorityRecord? { nil }
}
