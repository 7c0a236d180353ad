// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// A response, or the reason why there is none (RFC 6960, section 4.2.1).
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
        /// The request can't be read.
        case malformedRequest = 1
        /// The responder failed. The client may repeat the request.
        case internalError = 2
        /// The issuer is unknown to the responder (RFC 5019, section 2.2.3).
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
