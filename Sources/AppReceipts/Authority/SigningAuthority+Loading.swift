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
        self.init(
            receipts: try NewChain(.receipts, directory: directory, keys: keys),
            jws: try NewChain(.jws, directory: directory, keys: keys), directory: directory)
        // Reads the index now, so that its errors are thrown here.
        _ = try state.current()
    }
}

extension SigningAuthority.NewChain {
    init(_ kind: ChainKind, directory: URL, keys: OperatorKeys) throws(AppReceiptError) {
        func member(_ name: String) throws(AppReceiptError) -> SigningAuthority.Member {
            try SigningAuthority.Member(directory: directory, files: AuthorityFiles(kind, name), keys: keys)
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
                throw AppReceiptError(.authorityDamaged, "\(directory.path): \(fault)")
            }
        }
    }
}

extension SigningAuthority.Member {
    init(directory: URL, files: AuthorityFiles, keys: OperatorKeys = .none) throws(AppReceiptError) {
        let certificateFile = directory.appendingPathComponent(files.certificate)
        let keyFile = directory.appendingPathComponent(files.key)
        do {
            let keyPEM = try keys.find(files.keyName) ?? String(contentsOf: keyFile, encoding: .utf8)
            try self.init(
                key: Certificate.PrivateKey(pemEncoded: keyPEM),
                certificate: Certificate(pemEncoded: String(contentsOf: certificateFile, encoding: .utf8)))
        } catch {
            throw AppReceiptError(
                .authorityUnreadable, "\(certificateFile.path) and \(files.key) can't be read: \(error)")
        }
        guard certificate.publicKey == key.publicKey else {
            throw AppReceiptError(.authorityDamaged, "\(keyFile.path) is not the key of \(files.certificate)")
        }
    }
}
