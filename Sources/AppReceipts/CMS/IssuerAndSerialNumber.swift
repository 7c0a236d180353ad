// SPDX-License-Identifier: Apache-2.0

import SwiftASN1
import X509

/// The certificate of a signer, identified by its issuer and its serial
/// number.
///
/// ```
/// IssuerAndSerialNumber ::= SEQUENCE {
///     issuer       Name,
///     serialNumber CertificateSerialNumber }
///
/// CertificateSerialNumber ::= INTEGER
/// ```
struct IssuerAndSerialNumber: Hashable {
    /// The issuer's name, as encoded.
    var issuer: ArraySlice<UInt8>
    /// The number's octets, without a leading zero.
    var serialNumber: ArraySlice<UInt8>

    init(of certificate: Certificate) throws {
        var coder = DER.Serializer()
        try coder.serialize(certificate.issuer)
        issuer = coder.serializedBytes[...]
        serialNumber = certificate.serialNumber.bytes
    }

    init(reading reader: inout DERReader) throws(AppReceiptError) {
        (issuer, serialNumber) = try reader.constructed(.sequence) { reader throws(AppReceiptError) in
            (try reader.element(), try reader.positiveInteger())
        }
    }

    func write(to writer: inout DERWriter) {
        writer.constructed(.sequence) { writer in
            writer.element(issuer)
            writer.positiveInteger(serialNumber)
        }
    }
}
