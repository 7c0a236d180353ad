// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// A request for the status of certificates (RFC 6960, section 4.1.1).
///
/// ```
/// OCSPRequest ::= SEQUENCE {
///     tbsRequest        TBSRequest,
///     optionalSignature [0] EXPLICIT Signature OPTIONAL }
/// ```
///
/// - Note: The signature isn't read, because every client gets the same
///   response.
struct OCSPRequest {
    var tbsRequest: OCSPTBSRequest

    /// The longest request that is read, in bytes.
    static let maximumLength = 1 << 14

    init(parsing bytes: [UInt8]) throws {
        guard bytes.count <= Self.maximumLength else {
            throw AppReceiptError(.tooLarge, "\(bytes.count) bytes are more than \(Self.maximumLength)")
        }
        tbsRequest = try DER.sequence(DER.parse(bytes), identifier: .sequence) { nodes in
            let request = try OCSPTBSRequest(node: nodes.required("the request"))
            while nodes.next() != nil {}
            return request
        }
    }
}
