// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension SigningAuthority {
    /// Loads the authority that is stored in a directory, or creates one and
    /// stores it there if the directory is missing or empty.
    ///
    /// Several processes can call this at the same time: all of them load the
    /// same authority. Private keys are readable by their owner only. A
    /// directory that was written before this library had JWS and OCSP gets
    /// the missing parts.
    ///
    /// - Parameters:
    ///   - directory: The authority's directory.
    ///   - profile: The names, validity and address of new certificates.
    ///   - keys: Private keys that are not in the directory.
    ///   - random: The source of the serial numbers and of the elliptic-curve
    ///     keys.
    /// - Returns: The authority that is stored there now.
    /// - Throws: ``AppReceiptError``, or an error of the cryptographic
    ///   library.
    public static func loadOrCreate(
        directory: URL, profile: Profile = .sandbox, keys: OperatorKeys = .none,
        using random: inout some RandomNumberGenerator
    ) throws -> SigningAuthority {
        if isMissingOrEmpty(directory) {
            let authority = try create(profile: profile, keys: keys, using: &random)
            try authority.storeAll(in: directory, keys: keys, using: &random)
        } else {
            try addMissingParts(to: directory, profile: profile, keys: keys, using: &random)
        }
        return try SigningAuthority(directory: directory, keys: keys)
    }

    static func isMissingOrEmpty(_ directory: URL) -> Bool {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).isEmpty
    }

    private func storeAll(
        in directory: URL, keys: OperatorKeys, using random: inout some RandomNumberGenerator
    ) throws {
        let parts = try [
            NewChain(chain: receipts, leaf: leaf(.receipts)), NewChain(chain: jws, leaf: leaf(.jws)),
        ]
        try StoredFolder(directory).appear(using: &random) { folder in
            for part in parts {
                let place = folder.appendingPathComponent(AuthorityFiles.folder(of: part.chain.kind))
                try part.write(to: place, keys: keys)
            }
        }
    }

    private static func addMissingParts(
        to directory: URL, profile: Profile, keys: OperatorKeys, using random: inout some RandomNumberGenerator
    ) throws {
        // Reading these first makes sure that the directory is an
        // authority's.
        let files = try AuthorityFiles.members(of: .receipts).map { name in
            try Member(directory: directory, files: AuthorityFiles(.receipts, name), keys: keys)
        }
        let responders = directory.appendingPathComponent(AuthorityFiles.responderFolder)
        if isMissingOrEmpty(responders) {
            let root = try NewChain.responder("root", of: files[0], .receipts, profile, using: &random)
            let intermediate = try NewChain.responder(
                "intermediate", of: files[1], .receipts, profile, using: &random)
            try StoredFolder(responders).appear(using: &random) { folder in
                try NewChain.write(root, to: folder, as: "root", storingKey: true)
                try NewChain.write(intermediate, to: folder, as: "intermediate", storingKey: true)
            }
        }
        let jws = directory.appendingPathComponent(AuthorityFiles.jwsFolder)
        if isMissingOrEmpty(jws) {
            let chain = try NewChain(.jws, profile: profile, keys: keys, using: &random)
            try StoredFolder(jws).appear(using: &random) { try chain.write(to: $0, keys: keys) }
        }
    }
}

extension SigningAuthority.NewChain {
    /// Writes the files of a chain into a folder.
    fileprivate func write(to folder: URL, keys: OperatorKeys) throws {
        let responders = folder.appendingPathComponent(AuthorityFiles.responderFolder)
        try FileManager.default.createDirectory(
            at: responders, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for (member, name) in [(chain.root, "root"), (chain.intermediate, "intermediate"), (leaf, "leaf")] {
            let isKeptElsewhere = try keys.find(AuthorityFiles(chain.kind, name).keyName) != nil
            try Self.write(member, to: folder, as: name, storingKey: !isKeptElsewhere)
        }
        try Self.write(chain.rootResponder, to: responders, as: "root", storingKey: true)
        try Self.write(chain.intermediateResponder, to: responders, as: "intermediate", storingKey: true)
        try Data(chain.root.der).writeDurably(
            to: folder.appendingPathComponent(AuthorityFiles.rootDER), permissions: 0o644)
    }

    fileprivate static func write(
        _ member: SigningAuthority.Member, to folder: URL, as name: String, storingKey: Bool
    ) throws {
        let files = AuthorityFiles(.receipts, name)
        if storingKey {
            try member.keyPEM.writeDurably(to: folder.appendingPathComponent(files.key), permissions: 0o600)
        }
        try member.pem.writeDurably(to: folder.appendingPathComponent(files.certificate), permissions: 0o644)
    }
}
