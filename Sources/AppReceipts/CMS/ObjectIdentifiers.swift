// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

// The object identifiers of the messages and certificates that we write.
extension ASN1ObjectIdentifier {
    /// `id-data`, RFC 5652, section 4.
    static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    /// `id-signedData`, RFC 5652, section 5.1.
    static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    /// `id-sha256`, RFC 5754, section 2.2.
    static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    /// `rsaEncryption`, RFC 8017, appendix A.1. In a SignerInfo it means
    /// RSASSA-PKCS1-v1_5 with the digest that stands beside it (RFC 3370,
    /// section 3.2).
    static let rsa: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]
    /// Marks a certificate that signs receipts.
    static let receiptSigningMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Marks the authority that issues certificates that sign receipts.
    static let receiptAuthorityMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
}
