// SPDX-License-Identifier: Apache-2.0

import SwiftASN1
import X509

/// The certificate extension with the address of the issuer's revocation
/// list.
///
/// ```
/// CRLDistributionPoints ::= SEQUENCE OF DistributionPoint
///
/// DistributionPoint ::= SEQUENCE {
///     distributionPoint [0] DistributionPointName OPTIONAL,
///     ... }
///
/// DistributionPointName ::= CHOICE {
///     fullName [0] GeneralNames,
///     ... }
/// ```
///
/// - Note: The extension has one point with one address (RFC 5280, section
///   4.2.1.13).
struct RevocationListDistribution {
    var address: String

    func encoded() throws -> [UInt8] {
        let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { points in
            try points.appendConstructedNode(identifier: .sequence) { point in
                try point.appendConstructedNode(identifier: tag) { name in
                    try name.appendConstructedNode(identifier: tag) { names in
                        try names.serialize(GeneralName.uniformResourceIdentifier(address))
                    }
                }
            }
        }
        return coder.serializedBytes
    }
}
