// SPDX-License-Identifier: Apache-2.0

import SwiftASN1
import X509

/// The part of a request that may be signed (RFC 6960, section 4.1.1).
///
/// ```
/// TBSRequest ::= SEQUENCE {
///     version           [0] EXPLICIT Version DEFAULT v1,
///     requestorName     [1] EXPLICIT GeneralName OPTIONAL,
///     requestList       SEQUENCE OF Request,
///     requestExtensions [2] EXPLICIT Extensions OPTIONAL }
/// ```
///
/// - Note: The nonce is the only extension that is read. All others are
///   ignored, also critical ones; RFC 6960, section 4.4, asks for this only
///   if they are not critical.
struct OCSPTBSRequest {
    var requests: [OCSPSingleRequest]
    var nonce: OCSPNonce?

    private static let mostRequests = 32
    private static func tag(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }

    init(node: ASN1Node) throws {
        (requests, nonce) = try DER.sequence(node, identifier: .sequence) { nodes in
            var next = try nodes.required("the list of requests")
            if next.identifier == Self.tag(0) {
                guard let version = try next.children(Self.tag(0)).first, try Int(derEncoded: version) == 0 else {
                    throw AppReceiptError(.malformed, "Not an OCSP request of version 1")
                }
                next = try nodes.required("the list of requests")
            }
            if next.identifier == Self.tag(1) { next = try nodes.required("the list of requests") }
            let list = try next.children(.sequence)
            guard 1...Self.mostRequests ~= list.count else {
                throw AppReceiptError(.malformed, "\(list.count) certificates are asked about")
            }
            let requests = try list.map(OCSPSingleRequest.init(node:))
            var nonce: OCSPNonce?
            if let extensions = nodes.next() {
                nonce = try OCSPNonce(inExtensions: extensions.children(Self.tag(2)))
            }
            return (requests, nonce)
        }
    }
}
