// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// The request for the status of one certificate (RFC 6960, section 4.1.1).
///
/// ```
/// Request ::= SEQUENCE {
///     reqCert                 CertID,
///     singleRequestExtensions [0] EXPLICIT Extensions OPTIONAL }
/// ```
struct OCSPSingleRequest {
    var certificate: OCSPCertID

    init(node: ASN1Node) throws {
        certificate = try DER.sequence(node, identifier: .sequence) { nodes in
            let certificate = try OCSPCertID(node: nodes.required("the certificate"))
            while nodes.next() != nil {}
            return certificate
        }
    }
}
