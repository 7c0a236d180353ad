// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The status of a certificate (RFC 6960, section 4.2.1).
///
/// ```
/// CertStatus ::= CHOICE {
///     good    [0] IMPLICIT NULL,
///     revoked [1] IMPLICIT RevokedInfo,
///     unknown [2] IMPLICIT NULL }
///
/// RevokedInfo ::= SEQUENCE {
///     revocationTime   GeneralizedTime,
///     revocationReason [0] EXPLICIT CRLReason OPTIONAL }
/// ```
enum OCSPCertStatus: DERSerializable, Equatable {
    case good
    case revoked(Revocation)
    case unknown

    func serialize(into coder: inout DER.Serializer) throws {
        func tag(_ number: UInt) -> ASN1Identifier {
            ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
        }
        switch self {
        case .good: coder.appendPrimitiveNode(identifier: tag(0)) { _ in }
        case .unknown: coder.appendPrimitiveNode(identifier: tag(2)) { _ in }
        case .revoked(let revocation):
            try coder.appendConstructedNode(identifier: tag(1)) { coder in
                try coder.appendGeneralizedTime(revocation.date)
                // An unspecified reason is left out (RFC 5280, section
                // 5.3.1).
                guard revocation.reason != .unspecified else { return }
                coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                    coder.appendReason(revocation.reason)
                }
            }
        }
    }
}

extension DER.Serializer {
    /// `CRLReason ::= ENUMERATED { ... }`
    mutating func appendReason(_ reason: Revocation.Reason) {
        appendPrimitiveNode(identifier: .enumerated) { $0.append(UInt8(clamping: reason.rawValue)) }
    }
}
