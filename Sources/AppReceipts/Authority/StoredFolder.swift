// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that appears whole or not at all: its files are written beside its
/// place, and then moved there in one step.
struct StoredFolder {
    private let folder: URL

    init(_ folder: URL) {
        self.folder = folder
    }

    /// Writes the folder, unless another process was first, whose folder then
    /// stays.
    ///
    /// - Throws: ``AppReceiptError/Code/authorityNotWritable``.
    func appear(using random: inout some RandomNumberGenerator, writing: (URL) throws -> Void) throws {
        let temporary = try makeTemporaryFolder(using: &random)
        do {
            try writing(temporary)
            try FileHandle(forReadingFrom: temporary).synchronize()
            // Takes the place of a missing or an empty directory and, unlike
            // FileManager, of nothing else, with no moment in between.
            guard rename(temporary.path, folder.path) == 0 else {
                let reason = String(cString: strerror(errno))
                try? FileManager.default.removeItem(at: temporary)
                if SigningAuthority.isMissingOrEmpty(folder) {
                    throw AppReceiptError(.authorityNotWritable, "\(folder.path): \(reason)")
                }
                return
            }
            try FileHandle(forReadingFrom: folder.deletingLastPathComponent()).synchronize()
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw error as? AppReceiptError
                ?? AppReceiptError(.authorityNotWritable, "\(folder.path): \(error)")
        }
    }

    /// A new directory that only its owner can enter, beside the folder,
    /// because only within a file system is a move one step.
    private func makeTemporaryFolder(using random: inout some RandomNumberGenerator) throws -> URL {
        let parent = folder.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            for _ in 0..<16 {
                let name = String(UInt64.random(in: .min ... .max, using: &random), radix: 36)
                let temporary = parent.appendingPathComponent(".\(folder.lastPathComponent).\(name)")
                do {
                    try FileManager.default.createDirectory(
                        at: temporary, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
                    return temporary
                } catch CocoaError.fileWriteFileExists {
                    // Somebody else draws the same numbers: draw the next one.
                    continue
                }
            }
            throw CocoaError(.fileWriteFileExists)
        } catch {
            throw AppReceiptError(.authorityNotWritable, "\(parent.path): \(error)")
        }
    }
}
