// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1

/// The status of one certificate in a response (RFC 6960, section 4.2.1).
///
/// ```
/// SingleResponse ::= SEQUENCE {
///     certID           CertID,
///     certStatus       CertStatus,
///     thisUpdate       GeneralizedTime,
///     nextUpdate       [0] EXPLICIT GeneralizedTime OPTIONAL,
///     singleExtensions [1] EXPLICIT Extensions OPTIONAL }
/// ```
struct OCSPSingleResponse: DERSerializable {
    var certificate: OCSPCertID
    var status: OCSPCertStatus
    var thisUpdate: Date
    var nextUpdate: Date

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(certificate)
            try coder.serialize(status)
            try coder.appendGeneralizedTime(thisUpdate)
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                try coder.appendGeneralizedTime(nextUpdate)
            }
        }
    }
}
