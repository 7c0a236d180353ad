// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

extension AuthorityFolder {
    /// Reads the index, or returns an empty one if there is no file.
    func readIndex() throws(AppReceiptError) -> AuthorityIndex {
        let file = directory.appendingPathComponent(AuthorityFiles.index)
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch CocoaError.fileReadNoSuchFile {
            return AuthorityIndex()
        } catch {
            throw AppReceiptError(.authorityUnreadable, "\(file.path) can't be read: \(error)")
        }
        do {
            return try JSONDecoder().decode(AuthorityIndex.self, from: data)
        } catch {
            throw AppReceiptError(.authorityDamaged, "\(file.path) is not an authority's index: \(error)")
        }
    }

    /// The contents of a file, or `nil` if there is none.
    func text(of file: String) throws(AppReceiptError) -> String? {
        let url = directory.appendingPathComponent(file)
        do {
            return try String(contentsOf: url, encoding: .utf8)
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            throw AppReceiptError(.authorityUnreadable, "\(url.path) can't be read: \(error)")
        }
    }

    /// Writes the files of entries that have none yet. This directory is the
    /// folder `prefix` of the authority's directory.
    func add(_ entries: [String: AuthorityRecord.Entry], under prefix: String = "") throws {
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
            let files = AuthorityFiles(path: String(name.dropFirst(prefix.count)))
            let certificate = directory.appendingPathComponent(files.certificate)
            try FileManager.default.createDirectory(
                at: certificate.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try entry.key?.writeDurably(to: directory.appendingPathComponent(files.key), permissions: 0o600)
            try entry.certificate.writeDurably(to: certificate, permissions: 0o644)
            guard AuthorityFiles(path: name).isRoot else { continue }
            try Data(PEMDocument(pemString: entry.certificate).derBytes).writeDurably(
                to: certificate.deletingLastPathComponent().appendingPathComponent(AuthorityFiles.rootDER),
                permissions: 0o644)
        }
    }

    /// Writes an index into a new file.
    func write(_ index: AuthorityIndex, to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(index).writeDurably(to: file, permissions: 0o644)
    }

    /// Writes the new leaves, replaces the index in one step, then removes
    /// the keys of leaves that no longer sign.
    func write(_ record: AuthorityRecord, replacing old: AuthorityRecord) throws {
        do {
            try add(record.entries.filter { old.entries[$0.key] == nil })
            let index = directory.appendingPathComponent(AuthorityFiles.index)
            let temporary = directory.appendingPathComponent(AuthorityFiles.index + ".new")
            // A process that ended before the rename below has left this
            // file. This process holds the lock, so no other one uses the
            // file.
            try? FileManager.default.removeItem(at: temporary)
            try write(record.index, to: temporary)
            guard rename(temporary.path, index.path) == 0 else {
                throw AppReceiptError(.authorityNotWritable, "\(index.path): \(String(cString: strerror(errno)))")
            }
            try FileHandle(forReadingFrom: directory).synchronize()
        } catch {
            throw error as? AppReceiptError
                ?? AppReceiptError(.authorityNotWritable, "\(directory.path): \(error)")
        }
        for (name, entry) in old.entries where entry.key != nil && record.entries[name]?.key == nil {
            try? FileManager.default.removeItem(at: directory.appendingPathComponent(AuthorityFiles(path: name).key))
        }
    }
}

/// Runs a closure while no other process runs one with the same lock file.
///
/// - Throws: ``AppReceiptError/Code/authorityNotWritable`` if the file can't
///   be locked, or the closure's error.
func withExclusiveLock<Result>(on file: URL, _ body: () throws -> Result) throws -> Result {
    let descriptor = open(file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
        throw AppReceiptError(.authorityNotWritable, "\(file.path): \(String(cString: strerror(errno)))")
    }
    // Closing the file releases the lock, and so does the end of the process.
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX) == 0 else {
        throw AppReceiptError(.authorityNotWritable, "\(file.path): \(String(cString: strerror(errno)))")
    }
    return try body()
}
