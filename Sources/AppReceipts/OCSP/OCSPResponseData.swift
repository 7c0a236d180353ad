// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The signed part of a response (RFC 6960, section 4.2.1).
///
/// ```
/// ResponseData ::= SEQUENCE {
///     version            [0] EXPLICIT Version DEFAULT v1,
///     responderID        ResponderID,
///     producedAt         GeneralizedTime,
///     responses          SEQUENCE OF SingleResponse,
///     responseExtensions [1] EXPLICIT Extensions OPTIONAL }
///
/// ResponderID ::= CHOICE {
///     byName [1] Name,
///     byKey  [2] KeyHash }
///
/// KeyHash ::= OCTET STRING  -- SHA-1 of the responder's public key
/// ```
///
/// - Note: The responder is identified by its key. The version is left out,
///   because DER omits a default value.
struct OCSPResponseData: DERSerializable {
    var responderKeyHash: [UInt8]
    var producedAt: Date
    var responses: [OCSPSingleResponse]
    var nonce: OCSPNonce?

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.serialize(explicitlyTaggedWithTagNumber: 2, tagClass: .contextSpecific) { coder in
                coder.appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: responderKeyHash) }
            }
            try coder.appendGeneralizedTime(producedAt)
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                for response in responses { try coder.serialize(response) }
            }
            if let nonce {
                try coder.serialize(explicitlyTaggedWithTagNumber: 1, tagClass: .contextSpecific) { coder in
                    try coder.appendConstructedNode(identifier: .sequence) { try nonce.appendExtension(to: &$0) }
                }
            }
        }
    }
}

extension DER.Serializer {
    /// Appends a time such as `20240223170340Z`: UTC, no fraction (RFC 5280,
    /// section 4.1.2.5.2).
    mutating func appendGeneralizedTime(_ date: Date) throws {
        let digits = try ReceiptDate.encode(date).filter { 0x30...0x39 ~= $0 }
        appendPrimitiveNode(identifier: .generalizedTime) { $0.append(contentsOf: digits + "Z".utf8) }
    }
}
