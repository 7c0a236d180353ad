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
        let folder = AuthorityFolder(directory)
        try addMissingParts(to: folder, profile: profile, keys: keys, using: &random)
        return try loadOrCreate(in: folder, profile: profile, keys: keys, using: &random)
    }

    /// Loads the authority of a storage, or creates one and stores it there
    /// if there is none. Processes that do this at the same time all load the
    /// same authority.
    ///
    /// - Throws: ``AppReceiptError``, an error of the storage or of the
    ///   cryptographic library.
    package static func loadOrCreate(
        in storage: any AuthorityStorage, profile: Profile, keys: OperatorKeys = .none,
        using random: inout some RandomNumberGenerator
    ) throws -> SigningAuthority {
        if try storage.read() == nil {
            let receipts = try NewChain(.receipts, profile: profile, keys: keys, using: &random)
            let jws = try NewChain(.jws, profile: profile, keys: keys, using: &random)
            let entries = try receipts.entries(keys: keys).merging(jws.entries(keys: keys)) { first, _ in first }
            try storage.create(AuthorityRecord(entries: entries), using: &random)
        }
        return try SigningAuthority(in: storage, keys: keys)
    }

    static func isMissingOrEmpty(_ directory: URL) -> Bool { AuthorityFolder(directory).isEmpty }

    /// Adds the folders that earlier versions of this library didn't make.
    private static func addMissingParts(
        to folder: AuthorityFolder, profile: Profile, keys: OperatorKeys, using random: inout some RandomNumberGenerator
    ) throws {
        guard let record = try folder.read() else { return }
        // Reading these first makes sure that the directory is an
        // authority's.
        let files = try AuthorityFiles.members.map { name in
            try Member(record, AuthorityFiles(.receipts, name), in: folder, keys: keys)
        }
        let responders = folder.directory.appendingPathComponent(AuthorityFiles.responderFolder)
        if isMissingOrEmpty(responders) {
            let root = try NewChain.responder("root", of: files[0], .receipts, profile, using: &random)
            let intermediate = try NewChain.responder(
                "intermediate", of: files[1], .receipts, profile, using: &random)
            try StoredFolder(responders).appear(using: &random) { folder in
                try AuthorityFolder(folder).add(
                    [
                        AuthorityFiles.rootResponder: root.entry(),
                        AuthorityFiles.intermediateResponder: intermediate.entry(),
                    ], under: AuthorityFiles.responderFolder)
            }
        }
        let jws = folder.directory.appendingPathComponent(AuthorityFiles.jwsFolder)
        if isMissingOrEmpty(jws) {
            let entries = try NewChain(.jws, profile: profile, keys: keys, using: &random).entries(keys: keys)
            try StoredFolder(jws).appear(using: &random) { folder in
                try AuthorityFolder(folder).add(entries, under: AuthorityFiles.jwsFolder)
            }
        }
    }
}

extension SigningAuthority.NewChain {
    /// The entries of a new chain in a record, without the keys that the
    /// operator keeps in another place.
    fileprivate func entries(keys: OperatorKeys) throws -> [String: AuthorityRecord.Entry] {
        var entries: [String: AuthorityRecord.Entry] = [:]
        for (name, member) in [("root", chain.root), ("intermediate", chain.intermediate), ("leaf", leaf)] {
            let files = AuthorityFiles(chain.kind, name)
            let isKeptElsewhere = try keys.find(files.keyName) != nil
            entries[files.path] = try member.entry(storingKey: !isKeptElsewhere)
        }
        for (name, member) in [
            (AuthorityFiles.rootResponder, chain.rootResponder),
            (AuthorityFiles.intermediateResponder, chain.intermediateResponder),
        ] {
            entries[AuthorityFiles(chain.kind, name).path] = try member.entry()
        }
        return entries
    }
}

extension SigningAuthority.Member {
    fileprivate func entry(storingKey: Bool = true) throws -> AuthorityRecord.Entry {
        AuthorityRecord.Entry(certificate: pem, key: storingKey ? try keyPEM : nil)
    }
}
