// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Creates a folder with all of its files in one step: the files are written
/// to a temporary folder beside it, which is then renamed.
struct StoredFolder {
    private let folder: URL

    init(_ folder: URL) {
        self.folder = folder
    }

    /// Writes the folder. If another process has written it first, that one's
    /// folder is kept.
    ///
    /// - Returns: Whether this process has written the folder.
    /// - Throws: ``AppReceiptError/Code/authorityNotWritable``.
    @discardableResult
    func appear(using random: inout some RandomNumberGenerator, writing: (URL) throws -> Void) throws -> Bool {
        let temporary = try makeTemporaryFolder(using: &random)
        do {
            try writing(temporary)
            try FileHandle(forReadingFrom: temporary).synchronize()
            // `rename` creates the directory or replaces an empty one, in one
            // step, and fails if the directory has files. FileManager doesn't
            // guarantee this.
            guard rename(temporary.path, folder.path) == 0 else {
                let reason = String(cString: strerror(errno))
                try? FileManager.default.removeItem(at: temporary)
                if SigningAuthority.isMissingOrEmpty(folder) {
                    throw AppReceiptError(.authorityNotWritable, "\(folder.path): \(reason)")
                }
                return false
            }
            try FileHandle(forReadingFrom: folder.deletingLastPathComponent()).synchronize()
            return true
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw error as? AppReceiptError
                ?? AppReceiptError(.authorityNotWritable, "\(folder.path): \(error)")
        }
    }

    /// Creates a directory beside the folder, because a rename is a single
    /// step only within a file system. Only its owner can enter it.
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
                    // Another process has drawn the same number: draw the
                    // next one.
                    continue
                }
            }
            throw CocoaError(.fileWriteFileExists)
        } catch {
            throw AppReceiptError(.authorityNotWritable, "\(parent.path): \(error)")
        }
    }
}
