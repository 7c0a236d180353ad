// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AuthorityState {
    static func read(
        _ directory: URL, initialLeaves: [LeafSlot: SigningAuthority.Member]
    ) throws(AppReceiptError) -> Contents {
        let file = directory.appendingPathComponent(AuthorityFiles.index)
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch CocoaError.fileReadNoSuchFile {
            return Contents(index: AuthorityIndex(), leaves: initialLeaves)
        } catch {
            throw AppReceiptError(.authorityUnreadable, "\(file.path) can't be read: \(error)")
        }
        do {
            let index = try JSONDecoder().decode(AuthorityIndex.self, from: data)
            var leaves = initialLeaves
            for leaf in index.leaves {
                leaves[leaf.slot] = try SigningAuthority.Member(directory: directory, files: leaf.files)
            }
            return Contents(index: index, leaves: leaves)
        } catch let error as AppReceiptError {
            throw error
        } catch {
            throw AppReceiptError(.authorityDamaged, "\(file.path) is not an authority's index: \(error)")
        }
    }

    /// Writes the new leaves, replaces the index in one step, then removes
    /// the keys of leaves that no longer sign.
    static func write(_ contents: Contents, to directory: URL, replacing old: Contents) throws {
        do {
            for leaf in contents.index.leaves where !old.index.leaves.contains(leaf) {
                guard let member = contents.leaves[leaf.slot] else { continue }
                try member.keyPEM.writeDurably(
                    to: directory.appendingPathComponent(leaf.files.key), permissions: 0o600)
                try member.pem.writeDurably(
                    to: directory.appendingPathComponent(leaf.files.certificate), permissions: 0o644)
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let index = directory.appendingPathComponent(AuthorityFiles.index)
            let temporary = directory.appendingPathComponent(AuthorityFiles.index + ".new")
            // A process that ended before the rename below has left this
            // file. This process holds the lock, so no other one uses the
            // file.
            try? FileManager.default.removeItem(at: temporary)
            try encoder.encode(contents.index).writeDurably(to: temporary, permissions: 0o644)
            guard rename(temporary.path, index.path) == 0 else {
                throw AppReceiptError(.authorityNotWritable, "\(index.path): \(String(cString: strerror(errno)))")
            }
            try FileHandle(forReadingFrom: directory).synchronize()
        } catch {
            throw error as? AppReceiptError
                ?? AppReceiptError(.authorityNotWritable, "\(directory.path): \(error)")
        }
        for leaf in old.index.leaves where !contents.index.leaves.contains(leaf) {
            try? FileManager.default.removeItem(at: directory.appendingPathComponent(leaf.files.key))
        }
    }
}

extension AuthorityIndex.Leaf {
    /// The files of the leaf. Each leaf has its own, so that a new leaf never
    /// overwrites one that is in use.
    var files: AuthorityFiles { AuthorityFiles(slot.kind, "leaf-\(serialNumber)") }
}

/// Runs a closure while no other process runs one with the same lock file.
///
/// - Throws: ``AppReceiptError/Code/authorityNotWritable`` if the file can't
///   be locked, or the closure's error.
func withExclusiveLock(on file: URL, _ body: () throws -> Void) throws {
    let descriptor = open(file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
        throw AppReceiptError(.authorityNotWritable, "\(file.path): \(String(cString: strerror(errno)))")
    }
    // Closing the file releases the lock, and so does the end of the process.
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX) == 0 else {
        throw AppReceiptError(.authorityNotWritable, "\(file.path): \(String(cString: strerror(errno)))")
    }
    try body()
}
