// SPDX-License-Identifier: Apache-2.0

/// The content, the certificates and the signature.
///
/// ```
/// SignedData ::= SEQUENCE {
///     version          CMSVersion,
///     digestAlgorithms SET OF DigestAlgorithmIdentifier,
///     encapContentInfo EncapsulatedContentInfo,
///     certificates     [0] IMPLICIT CertificateSet OPTIONAL,
///     crls             [1] IMPLICIT RevocationInfoChoices OPTIONAL,
///     signerInfos      SET OF SignerInfo }
///
/// CertificateSet ::= SET OF CertificateChoices
/// ```
///
/// - Note: A receipt has exactly one signer and no revocation lists. The
///   certificates keep the order in which they were written, signer first:
///   RFC 5652 requires DER's order of a SET OF only for signed parts.
struct SignedData {
    /// 1, because the content is `id-data`, the certificates are X.509 ones
    /// and the signer's version is 1 (RFC 5652, section 5.1).
    var version: Int64 = 1
    var digestAlgorithms: [AlgorithmIdentifier]
    var content: EncapsulatedContentInfo
    /// The certificates, each as encoded.
    var certificates: [ArraySlice<UInt8>]
    var signerInfo: SignerInfo

    private static let certificatesTag = DERTag.context(0)

    /// Content with a signature by RSA and SHA-256.
    init(content: ArraySlice<UInt8>, certificates: [ArraySlice<UInt8>], signerInfo: SignerInfo) {
        self.digestAlgorithms = [signerInfo.digestAlgorithm]
        self.content = EncapsulatedContentInfo(content: content)
        self.certificates = certificates
        self.signerInfo = signerInfo
    }

    init(reading reader: inout DERReader) throws(AppReceiptError) {
        self = try reader.constructed(.sequence) { reader throws(AppReceiptError) in
            let version = try reader.integer()
            let digestAlgorithms = try Self.digestAlgorithms(reading: &reader)
            let content = try EncapsulatedContentInfo(reading: &reader)
            let certificates = try Self.certificates(reading: &reader)
            var signerInfos: [SignerInfo] = []
            try reader.setOf { reader throws(AppReceiptError) in
                guard signerInfos.isEmpty else { throw AppReceiptError(.malformed, "There is more than one signer") }
                signerInfos.append(try SignerInfo(reading: &reader))
            }
            guard let signerInfo = signerInfos.first else { throw AppReceiptError(.malformed, "There is no signer") }
            var signedData = SignedData(
                content: content.content, certificates: certificates, signerInfo: signerInfo)
            signedData.version = version
            signedData.digestAlgorithms = digestAlgorithms
            return signedData
        }
    }

    private static func digestAlgorithms(
        reading reader: inout DERReader
    ) throws(AppReceiptError) -> [AlgorithmIdentifier] {
        var algorithms: [AlgorithmIdentifier] = []
        try reader.setOf { reader throws(AppReceiptError) in
            guard algorithms.count < most else { throw tooMany("digest algorithms") }
            algorithms.append(try AlgorithmIdentifier(reading: &reader))
        }
        return algorithms
    }

    private static func certificates(
        reading reader: inout DERReader
    ) throws(AppReceiptError) -> [ArraySlice<UInt8>] {
        try reader.constructed(certificatesTag) { reader throws(AppReceiptError) in
            var certificates: [ArraySlice<UInt8>] = []
            certificates.reserveCapacity(3)
            while !reader.isAtEnd {
                guard certificates.count < most else { throw tooMany("certificates") }
                certificates.append(try reader.element())
            }
            return certificates
        }
    }

    /// The largest number of certificates and of digest algorithms. Each one
    /// takes memory, and a certificate's element can be as short as two
    /// octets.
    private static let most = 100

    private static func tooMany(_ what: String) -> AppReceiptError {
        AppReceiptError(.tooLarge, "There are more than \(most) \(what)")
    }

    func write(to writer: inout DERWriter) {
        writer.constructed(.sequence) { writer in
            writer.integer(version)
            writer.setOf(digestAlgorithms) { $0.write(to: &$1) }
            content.write(to: &writer)
            writer.constructed(Self.certificatesTag) { writer in
                for certificate in certificates { writer.element(certificate) }
            }
            writer.setOf([signerInfo]) { $0.write(to: &$1) }
        }
    }

    /// The whole message as DER.
    var encoded: [UInt8] {
        var writer = DERWriter()
        ContentInfo(signedData: self).write(to: &writer)
        return writer.bytes
    }
}
