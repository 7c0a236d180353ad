// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import Foundation
import X509

extension SigningAuthority {
    /// Makes a new authority, with new keys. Takes up to some seconds.
    ///
    /// - Parameters:
    ///   - profile: The certificates' names and validity.
    ///   - random: Where the serial numbers come from. The keys come from the
    ///     cryptographic library's own generator, which can't be given
    ///     another source.
    /// - Returns: The authority, which is nowhere but in memory.
    /// - Throws: An error of the cryptographic library.
    public static func create(
        profile: Profile = .sandbox, using random: inout some RandomNumberGenerator
    ) throws -> SigningAuthority {
        let rootKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let rootTemplate = CertificateTemplate.root(in: profile)
        let root = try Member(
            key: rootKey,
            certificate: rootTemplate.certificate(
                for: rootKey, issuedBy: rootTemplate.subject, with: rootKey, using: &random))

        let intermediateKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let intermediate = try Member(
            key: intermediateKey,
            certificate: CertificateTemplate.intermediate(in: profile).certificate(
                for: intermediateKey, issuedBy: root.certificate.subject, with: root.key, using: &random))

        let leafKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let leaf = try Member(
            key: leafKey,
            certificate: CertificateTemplate.leaf(in: profile).certificate(
                for: leafKey, issuedBy: intermediate.certificate.subject, with: intermediate.key, using: &random))
        return try SigningAuthority(root: root, intermediate: intermediate, leaf: leaf)
    }
}
