// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftASN1
import X509

extension SigningAuthority {
    /// Loads the authority that is stored in a directory.
    ///
    /// - Parameters:
    ///   - directory: The authority's directory.
    ///   - keys: Private keys that are not in the directory.
    /// - Throws: ``AppReceiptError/Code/authorityUnreadable`` if a file is
    ///   missing or unreadable, ``AppReceiptError/Code/authorityDamaged`` if
    ///   the files do not belong together.
    public init(directory: URL, keys: OperatorKeys = .none) throws(AppReceiptError) {
        do {
            try self.init(in: AuthorityFolder(directory), keys: keys)
        } catch let error as AppReceiptError {
            throw error
        } catch {
            throw AppReceiptError(.authorityUnreadable, "\(error)")
        }
    }

    /// Loads the authority of a storage.
    ///
    /// - Throws: ``AppReceiptError``, or an error of the storage.
    package init(in storage: any AuthorityStorage, keys: OperatorKeys = .none) throws {
        let stamp = storage.stamp()
        guard let record = try storage.read() else {
            throw AppReceiptError(.authorityUnreadable, "\(storage.name) has no authority")
        }
        let receipts = try NewChain(.receipts, record, in: storage, keys: keys)
        let jws = try NewChain(.jws, record, in: storage, keys: keys)
        let state = try AuthorityState(
            record, in: storage, stamp: stamp, initialLeaves: Self.initialLeaves(receipts, jws))
        self.init(receipts: receipts.chain, jws: jws.chain, state: state)
    }
}

extension SigningAuthority.NewChain {
    fileprivate init(
        _ kind: ChainKind, _ record: AuthorityRecord, in storage: any AuthorityStorage, keys: OperatorKeys
    ) throws(AppReceiptError) {
        func member(_ name: String) throws(AppReceiptError) -> SigningAuthority.Member {
            try SigningAuthority.Member(record, AuthorityFiles(kind, name), in: storage, keys: keys)
        }
        chain = SigningAuthority.Chain(
            kind: kind, root: try member("root"), intermediate: try member("intermediate"),
            rootResponder: try member(AuthorityFiles.rootResponder),
            intermediateResponder: try member(AuthorityFiles.intermediateResponder))
        leaf = try member("leaf")
        let issued = [
            (leaf, chain.intermediate), (chain.intermediate, chain.root), (chain.root, chain.root),
            (chain.rootResponder, chain.root), (chain.intermediateResponder, chain.intermediate),
        ]
        for (member, issuer) in issued {
            if let fault = member.certificate.faults(issuedBy: issuer.certificate, as: kind).first {
                throw AppReceiptError(.authorityDamaged, "\(storage.name): \(fault)")
            }
        }
    }
}

extension SigningAuthority.Member {
    /// Reads a leaf that was made by rotation, and checks that the record's
    /// intermediate certificate has issued it.
    init(
        _ leaf: AuthorityIndex.Leaf, in record: AuthorityRecord, of storage: any AuthorityStorage
    ) throws(AppReceiptError) {
        try self.init(record, leaf.files, in: storage)
        let kind = leaf.slot.kind
        let issuer = record.entries[AuthorityFiles(kind, "intermediate").path]?.certificate
        guard let issuer = issuer.flatMap({ try? Certificate(pemEncoded: $0) }) else {
            throw AppReceiptError(.authorityUnreadable, "\(storage.name) has no intermediate certificate")
        }
        if let fault = certificate.faults(issuedBy: issuer, as: kind).first {
            throw AppReceiptError(.authorityDamaged, "\(storage.name): \(fault)")
        }
    }

    /// Reads an entry of a record. A key of the operator's takes the place of
    /// the entry's.
    init(
        _ record: AuthorityRecord, _ files: AuthorityFiles, in storage: any AuthorityStorage,
        keys: OperatorKeys = .none
    ) throws(AppReceiptError) {
        guard let entry = record.entries[files.path] else {
            throw AppReceiptError(.authorityUnreadable, "\(storage.name) has no \(files.certificate)")
        }
        do {
            guard let keyPEM = try keys.find(files.keyName) ?? entry.key else {
                throw AppReceiptError(.authorityUnreadable, "\(storage.name) has no \(files.key)")
            }
            try self.init(
                key: Certificate.PrivateKey(pemEncoded: keyPEM),
                certificate: Certificate(pemEncoded: entry.certificate))
        } catch let error as AppReceiptError {
            throw error
        } catch {
            throw AppReceiptError(
                .authorityUnreadable,
                "\(files.certificate) and \(files.key) of \(storage.name) can't be read: \(error)")
        }
        guard certificate.publicKey == key.publicKey else {
            throw AppReceiptError(
                .authorityDamaged, "\(files.key) of \(storage.name) is not the key of \(files.certificate)")
        }
    }
}
