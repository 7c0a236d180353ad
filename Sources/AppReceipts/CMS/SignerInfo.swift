// SPDX-License-Identifier: Apache-2.0

/// A signature and its signer.
///
/// ```
/// SignerInfo ::= SEQUENCE {
///     version            CMSVersion,
///     sid                SignerIdentifier,
///     digestAlgorithm    DigestAlgorithmIdentifier,
///     signedAttrs        [0] IMPLICIT SignedAttributes OPTIONAL,
///     signatureAlgorithm SignatureAlgorithmIdentifier,
///     signature          SignatureValue,
///     unsignedAttrs      [1] IMPLICIT UnsignedAttributes OPTIONAL }
///
/// SignerIdentifier ::= CHOICE {
///     issuerAndSerialNumber IssuerAndSerialNumber,
///     subjectKeyIdentifier  [0] SubjectKeyIdentifier }
///
/// SignatureValue ::= OCTET STRING
/// ```
///
/// - Note: A store's receipts have no attributes, signed or unsigned: the
///   signature is over the content's octets themselves (RFC 5652, section
///   5.4). The lenient profile accepts signed attributes. A message with
///   unsigned attributes is malformed, and so is one that names its signer by
///   a key identifier.
struct SignerInfo: Hashable {
    /// 1, because the signer is named by issuer and serial number (RFC 5652,
    /// section 5.3).
    var version: Int64 = 1
    var signer: IssuerAndSerialNumber
    var digestAlgorithm: AlgorithmIdentifier
    /// Absent in a store's receipts.
    var signedAttributes: SignedAttributes?
    var signatureAlgorithm: AlgorithmIdentifier
    var signature: ArraySlice<UInt8>

    /// A signature by RSA and SHA-256.
    init(signer: IssuerAndSerialNumber, signature: ArraySlice<UInt8>) {
        self.signer = signer
        self.digestAlgorithm = .sha256
        self.signatureAlgorithm = .rsa
        self.signature = signature
    }

    init(reading reader: inout DERReader) throws(AppReceiptError) {
        self = try reader.constructed(.sequence) { reader throws(AppReceiptError) in
            let version = try reader.integer()
            let signer = try IssuerAndSerialNumber(reading: &reader)
            let digestAlgorithm = try AlgorithmIdentifier(reading: &reader)
            let signedAttributes = try SignedAttributes.readingNext(&reader)
            let signatureAlgorithm = try AlgorithmIdentifier(reading: &reader)
            var info = SignerInfo(signer: signer, signature: try reader.octets(.octetString))
            info.version = version
            info.digestAlgorithm = digestAlgorithm
            info.signedAttributes = signedAttributes
            info.signatureAlgorithm = signatureAlgorithm
            return info
        }
    }

    func write(to writer: inout DERWriter) {
        writer.constructed(.sequence) { writer in
            writer.integer(version)
            signer.write(to: &writer)
            digestAlgorithm.write(to: &writer)
            signedAttributes?.write(to: &writer)
            signatureAlgorithm.write(to: &writer)
            writer.primitive(.octetString, signature)
        }
    }
}
