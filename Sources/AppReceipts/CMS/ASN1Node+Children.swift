// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

extension ASN1Node {
    /// The nodes inside of a constructed node.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed`` if the node has another
    ///   tag, or is primitive.
    func children(_ identifier: ASN1Identifier) throws -> [ASN1Node] {
        guard self.identifier == identifier, case .constructed(let nodes) = content else {
            throw AppReceiptError(.malformed, "Expected \(identifier), found \(self.identifier)")
        }
        return Array(nodes)
    }
}

extension ASN1NodeCollection.Iterator {
    /// - Throws: ``AppReceiptError/Code/malformed`` after the last node.
    mutating func required(_ what: String) throws -> ASN1Node {
        guard let node = next() else {
            throw AppReceiptError(.malformed, "The message ends before \(what)")
        }
        return node
    }
}
