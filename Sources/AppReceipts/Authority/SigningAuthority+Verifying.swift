// SPDX-License-Identifier: Apache-2.0

extension SigningAuthority {
    /// A verifier that trusts this authority and no other. It doesn't check
    /// revocations.
    public var verifier: AppReceiptVerifier { AppReceiptVerifier(roots: [rootCertificate]) }

    /// The certificates that are revoked now, for a verifier.
    ///
    /// - Throws: ``AppReceiptError`` if the authority's storage can't be
    ///   read any more.
    public var revokedCertificates: RevokedCertificates {
        get throws(AppReceiptError) { RevokedCertificates(try revocations.map(\.serialNumber)) }
    }
}
