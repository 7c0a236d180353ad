// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport

@testable import AppReceipts

// The parts of an authority under short names.
extension SigningAuthority {
    var root: Member { receipts.root }
    var intermediate: Member { receipts.intermediate }
    var leaf: Member { get throws { try leaf(.receipts) } }
    /// The certificates that go into a receipt, in their order.
    var chain: [[UInt8]] { get throws { try [leaf.der, intermediate.der, root.der] } }
    var signer: IssuerAndSerialNumber { get throws { try leaf.signer } }
}

extension SigningAuthority {
    var jwsLeaf: Member { get throws { try leaf(.jws) } }
    /// The certificates that go into a JWS, in their order.
    var jwsChain: [[UInt8]] { get throws { try [jwsLeaf.der, jws.intermediate.der, jws.root.der] } }

    /// A leaf certificate of this authority that differs from its regular
    /// leaves.
    func oddLeaf(
        _ kind: ChainKind, profile: Profile = .sandbox, change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> Member {
        var random = SeededGenerator(seed: 77)
        var template = CertificateTemplate.leaf(kind, in: profile)
        change(&template)
        let chain = kind == .receipts ? receipts : jws
        return try Member(
            template, key: kind.makeLeafKey(using: &random), issuedBy: chain.intermediate, using: &random)
    }
}
