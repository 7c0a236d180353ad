// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

// The object identifiers of the messages and certificates.
extension ASN1ObjectIdentifier {
    /// `id-data`, RFC 5652, section 4.
    static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    /// `id-signedData`, RFC 5652, section 5.1.
    static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    /// `id-sha256`, RFC 5754, section 2.2.
    static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    /// `id-sha384`, RFC 5754, section 2.3.
    static let sha384: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 2]
    /// `id-sha512`, RFC 5754, section 2.4.
    static let sha512: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 3]
    /// `id-contentType`, RFC 5652, section 11.1.
    static let contentType: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 3]
    /// `id-messageDigest`, RFC 5652, section 11.2.
    static let messageDigest: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 4]
    /// `rsaEncryption`, RFC 8017, appendix A.1. In a SignerInfo it means
    /// RSASSA-PKCS1-v1_5 with the digest algorithm of the SignerInfo (RFC
    /// 3370, section 3.2).
    static let rsa: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]
    /// Marks a certificate that signs receipts.
    static let receiptSigningMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Marks a certificate that signs transaction receipts of version 2.
    static let oldReceiptSigningMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 5, 1]
    /// Marks the authority that issues certificates that sign receipts.
    static let receiptAuthorityMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
    /// `id-sha1`, RFC 3370, section 2.1.
    static let sha1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]
    /// `sha1WithRSAEncryption`, RFC 8017, appendix A.2.4.
    static let sha1WithRSA: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 5]
    /// `sha256WithRSAEncryption`, RFC 8017, appendix A.2.4.
    static let sha256WithRSA: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 11]
    /// `sha384WithRSAEncryption`, RFC 8017, appendix A.2.4.
    static let sha384WithRSA: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 12]
    /// `sha512WithRSAEncryption`, RFC 8017, appendix A.2.4.
    static let sha512WithRSA: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 13]
    /// `ecdsa-with-SHA256`, RFC 5758, section 3.2.
    static let ecdsaWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]
    /// `ecdsa-with-SHA384`, RFC 5758, section 3.2.
    static let ecdsaWithSHA384: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 3]
    /// `ecdsa-with-SHA512`, RFC 5758, section 3.2.
    static let ecdsaWithSHA512: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 4]
    /// `id-pkix-ocsp-basic`, RFC 6960, section 4.2.1.
    static let ocspBasic: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 1]
    /// `id-pkix-ocsp-nonce`, RFC 6960, section 4.4.1.
    static let ocspNonce: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 2]
    /// `id-pkix-ocsp-nocheck`, RFC 6960, section 4.2.2.2.1.
    static let ocspNoCheck: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 5]
    /// `id-ce-cRLDistributionPoints`, RFC 5280, section 4.2.1.13.
    static let revocationListDistribution: ASN1ObjectIdentifier = [2, 5, 29, 31]
    /// `id-ce-cRLNumber`, RFC 5280, section 5.2.3.
    static let revocationListNumber: ASN1ObjectIdentifier = [2, 5, 29, 20]
    /// `id-ce-cRLReasons`, RFC 5280, section 5.3.1.
    static let revocationReason: ASN1ObjectIdentifier = [2, 5, 29, 21]
}
