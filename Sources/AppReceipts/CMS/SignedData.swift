// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

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
///   certificates stay in the order in which they were put, signer first;
///   RFC 5652 asks for DER's order of a SET OF only in what is signed.
struct SignedData: DERSerializable {
    /// 1, because the content is `id-data`, the certificates are X.509 ones
    /// and the signer's version is 1 (RFC 5652, section 5.1).
    var version = 1
    var digestAlgorithms: [AlgorithmIdentifier]
    var content: EncapsulatedContentInfo
    /// Each as encoded.
    var certificates: [ArraySlice<UInt8>]
    var signerInfo: SignerInfo

    private static let certificatesTag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)

    /// Content with a signature by RSA and SHA-256.
    init(content: ArraySlice<UInt8>, certificates: [ArraySlice<UInt8>], signerInfo: SignerInfo) {
        self.digestAlgorithms = [signerInfo.digestAlgorithm]
        self.content = EncapsulatedContentInfo(content: content)
        self.certificates = certificates
        self.signerInfo = signerInfo
    }

    init(node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            let version = try Int(derEncoded: &nodes)
            let digestAlgorithms = try nodes.required("the digest algorithms").children(.set)
            let content = try EncapsulatedContentInfo(node: nodes.required("the content"))
            let certificates = try nodes.required("the certificates").children(Self.certificatesTag)
            let signerInfos = try nodes.required("the signers").children(.set)
            guard let signerInfo = signerInfos.first, signerInfos.count == 1 else {
                throw AppReceiptError(.malformed, "There are \(signerInfos.count) signers, not one")
            }
            var signedData = SignedData(
                content: content.content, certificates: certificates.map(\.encodedBytes),
                signerInfo: try SignerInfo(node: signerInfo))
            signedData.version = version
            signedData.digestAlgorithms = try digestAlgorithms.map(AlgorithmIdentifier.init(node:))
            return signedData
        }
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(version)
            try coder.serializeSetOf(digestAlgorithms)
            try coder.serialize(content)
            coder.appendConstructedNode(identifier: Self.certificatesTag) { coder in
                for certificate in certificates { coder.serializeRawBytes(certificate) }
            }
            try coder.serializeSetOf([signerInfo])
        }
    }

    /// The whole message.
    func encoded() throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.serialize(ContentInfo(signedData: self))
        return coder.serializedBytes
    }
}
