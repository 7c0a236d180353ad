// SPDX-License-Identifier: Apache-2.0

import SwiftASN1
import X509

/// One entry of a revocation list (RFC 5280, section 5.1.2.6).
///
/// ```
/// RevokedCertificate ::= SEQUENCE {
///     userCertificate    CertificateSerialNumber,
///     revocationDate     Time,
///     crlEntryExtensions Extensions OPTIONAL }
/// ```
struct RevokedCertificate: DERSerializable {
    var revocation: Revocation

    init(_ revocation: Revocation) {
        self.revocation = revocation
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(Array(revocation.serialNumber.bytes)[...])
            try coder.appendTime(revocation.date)
            guard revocation.reason != .unspecified else { return }
            var reason = DER.Serializer()
            reason.appendReason(revocation.reason)
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.appendExtension(.revocationReason, value: reason.serializedBytes)
            }
        }
    }
}
