// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// An answer, or why there is none (RFC 6960, section 4.2.1).
///
/// ```
/// OCSPResponse ::= SEQUENCE {
///     responseStatus OCSPResponseStatus,
///     responseBytes  [0] EXPLICIT ResponseBytes OPTIONAL }
///
/// OCSPResponseStatus ::= ENUMERATED { ... }
/// ```
struct OCSPResponse: DERSerializable {
    enum Status: UInt8 {
        case successful = 0
        /// The question can't be read.
        case malformedRequest = 1
        /// Something is wrong here; it may be tried again.
        case internalError = 2
        /// Nothing is known of the issuer (RFC 5019, section 2.2.3).
        case unauthorized = 6
    }

    var status: Status
    var response: BasicOCSPResponse?

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendPrimitiveNode(identifier: .enumerated) { $0.append(status.rawValue) }
            if let response {
                try coder.serialize(
                    OCSPResponseBytes(response: response), explicitlyTaggedWithTagNumber: 0,
                    tagClass: .contextSpecific)
            }
        }
    }
}
