// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
public import Foundation
import SwiftASN1
import X509

extension SigningAuthority {
    /// Loads the authority that is stored in a directory.
    ///
    /// - Throws: ``AppReceiptError/Code/authorityUnreadable`` if a file is
    ///   missing or unreadable, ``AppReceiptError/Code/authorityDamaged`` if
    ///   the files don't belong together.
    public init(directory: URL) throws(AppReceiptError) {
        let root = try Member(directory: directory, files: .root)
        let intermediate = try Member(directory: directory, files: .intermediate)
        let leaf = try Member(directory: directory, files: .leaf)
        for (certificate, authority) in [(leaf, intermediate), (intermediate, root), (root, root)] {
            if let fault = certificate.certificate.faults(issuedBy: authority.certificate).first {
                throw AppReceiptError(.authorityDamaged, "\(directory.path): \(fault)")
            }
        }
        do {
            try self.init(root: root, intermediate: intermediate, leaf: leaf)
        } catch {
            throw AppReceiptError(.authorityDamaged, "\(directory.path): \(error)")
        }
    }
}

extension SigningAuthority.Member {
    fileprivate init(directory: URL, files: AuthorityFiles) throws(AppReceiptError) {
        let certificateFile = directory.appendingPathComponent(files.certificate)
        let keyFile = directory.appendingPathComponent(files.key)
        do {
            try self.init(
                key: _RSA.Signing.PrivateKey(pemRepresentation: String(contentsOf: keyFile, encoding: .utf8)),
                certificate: Certificate(pemEncoded: String(contentsOf: certificateFile, encoding: .utf8)))
        } catch {
            throw AppReceiptError(
                .authorityUnreadable, "\(certificateFile.path) and \(files.key) can't be read: \(error)")
        }
        guard certificate.publicKey == Certificate.PublicKey(key.publicKey) else {
            throw AppReceiptError(.authorityDamaged, "\(keyFile.path) is not the key of \(files.certificate)")
        }
    }
}
