// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
public import Foundation

extension SigningAuthority {
    /// Loads the authority that is stored in a directory, or makes one and
    /// stores it there if the directory is missing or empty.
    ///
    /// Any number of processes may do this at once: all of them end with the
    /// same authority. Private keys are readable by their owner only.
    ///
    /// - Parameters:
    ///   - directory: Where the authority is, or will be.
    ///   - profile: The names and validity of a new authority's certificates.
    ///   - random: Where a new authority's serial numbers come from.
    /// - Returns: The authority that is stored there now.
    /// - Throws: ``AppReceiptError``, or an error of the cryptographic library.
    public static func loadOrCreate(
        directory: URL, profile: Profile = .sandbox, using random: inout some RandomNumberGenerator
    ) throws -> SigningAuthority {
        if !isMissingOrEmpty(directory) { return try SigningAuthority(directory: directory) }
        let authority = try create(profile: profile, using: &random)
        return try authority.store(in: directory, using: &random)
            ? authority : SigningAuthority(directory: directory)
    }

    private static func isMissingOrEmpty(_ directory: URL) -> Bool {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).isEmpty
    }

    /// Stores the authority, whole or not at all: the files are written beside
    /// the directory's place, and then moved there in one step.
    ///
    /// - Returns: Whether it did; false if another authority was first.
    private func store(in directory: URL, using random: inout some RandomNumberGenerator) throws -> Bool {
        let temporary = try Self.makeTemporaryDirectory(for: directory, using: &random)
        do {
            for (member, files) in [(root, AuthorityFiles.root), (intermediate, .intermediate), (leaf, .leaf)] {
                try member.key.pkcs8PEMRepresentation.writeDurably(
                    to: temporary.appendingPathComponent(files.key), permissions: 0o600)
                try member.pem.writeDurably(
                    to: temporary.appendingPathComponent(files.certificate), permissions: 0o644)
            }
            try rootCertificate.writeDurably(
                to: temporary.appendingPathComponent(AuthorityFiles.rootDER), permissions: 0o644)
            try FileHandle(forReadingFrom: temporary).synchronize()
            // Takes the place of a missing or an empty directory and, unlike
            // FileManager, of nothing else, with no moment in between.
            guard rename(temporary.path, directory.path) == 0 else {
                let reason = String(cString: strerror(errno))
                try? FileManager.default.removeItem(at: temporary)
                if Self.isMissingOrEmpty(directory) {
                    throw AppReceiptError(.authorityNotWritable, "\(directory.path): \(reason)")
                }
                return false
            }
            try FileHandle(forReadingFrom: directory.deletingLastPathComponent()).synchronize()
            return true
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw error as? AppReceiptError
                ?? AppReceiptError(.authorityNotWritable, "\(directory.path): \(error)")
        }
    }

    /// A new directory that only its owner can enter, beside `directory`,
    /// because only within a file system is a move one step.
    private static func makeTemporaryDirectory(
        for directory: URL, using random: inout some RandomNumberGenerator
    ) throws -> URL {
        let parent = directory.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            for _ in 0..<16 {
                let name = String(UInt64.random(in: .min ... .max, using: &random), radix: 36)
                let temporary = parent.appendingPathComponent(".\(directory.lastPathComponent).\(name)")
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
