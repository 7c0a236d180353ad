// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
import X509

/// The signed part of a revocation list (RFC 5280, section 5.1.2).
///
/// ```
/// TBSCertList ::= SEQUENCE {
///     version             Version OPTIONAL,  -- v2
///     signature           AlgorithmIdentifier,
///     issuer              Name,
///     thisUpdate          Time,
///     nextUpdate          Time OPTIONAL,
///     revokedCertificates SEQUENCE OF RevokedCertificate OPTIONAL,
///     crlExtensions       [0] EXPLICIT Extensions OPTIONAL }
/// ```
struct TBSCertList: DERSerializable {
    var signatureAlgorithm: AlgorithmIdentifier
    var issuer: Certificate
    var thisUpdate: Date
    var nextUpdate: Date
    var revocations: [Revocation]
    var number: Int64

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(1)
            try coder.serialize(signatureAlgorithm)
            try coder.serialize(issuer.subject)
            try coder.appendTime(thisUpdate)
            try coder.appendTime(nextUpdate)
            if !revocations.isEmpty {
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    for revocation in revocations { try coder.serialize(RevokedCertificate(revocation)) }
                }
            }
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { try appendExtensions(to: &$0) }
            }
        }
    }

    /// Appends the key identifier and the list's number, which RFC 5280,
    /// sections 5.2.1 and 5.2.3, requires.
    private func appendExtensions(to coder: inout DER.Serializer) throws {
        let key = AuthorityKeyIdentifier(
            keyIdentifier: SubjectKeyIdentifier(hash: issuer.publicKey).keyIdentifier)
        let extensionValue = try Certificate.Extension(key, critical: false)
        try coder.appendExtension(extensionValue.oid, value: Array(extensionValue.value))
        var value = DER.Serializer()
        try value.serialize(number)
        try coder.appendExtension(.revocationListNumber, value: value.serializedBytes)
    }
}

extension DER.Serializer {
    /// Appends a UTCTime for the years 1950 to 2049, and a GeneralizedTime
    /// for others (RFC 5280, section 5.1.2.4).
    mutating func appendTime(_ date: Date) throws {
        let digits = try ReceiptDate.encode(date).filter { 0x30...0x39 ~= $0 }
        let isShort = "1950".utf8.lexicographicallyPrecedes(digits) && digits.lexicographicallyPrecedes("2050".utf8)
        guard isShort else { return try appendGeneralizedTime(date) }
        appendPrimitiveNode(identifier: .utcTime) { $0.append(contentsOf: digits.dropFirst(2) + "Z".utf8) }
    }
}
