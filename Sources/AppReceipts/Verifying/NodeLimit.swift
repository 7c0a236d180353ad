// SPDX-License-Identifier: Apache-2.0

import SwiftASN1
import X509

/// How many nodes a certificate that comes from outside may have.
///
/// X509's parser keeps about a hundred bytes for every node, and a node can be
/// as short as two bytes: without a limit a message of some megabytes would
/// take some hundred. So the nodes are counted first, which takes no memory.
enum NodeLimit {
    /// Ours have less than a hundred.
    private static let most = 2000

    /// - Throws: ``AppReceiptError/Code/tooLarge`` if there are more. Whether
    ///   the nodes fit together isn't looked at.
    static func check(_ bytes: ArraySlice<UInt8>) throws(AppReceiptError) {
        var index = bytes.startIndex
        var count = 0
        while index < bytes.endIndex {
            count += 1
            guard count <= most else {
                throw AppReceiptError(.tooLarge, "There are more than \(most) nodes in \(bytes.count) bytes")
            }
            let isConstructed = bytes[index] & 0x20 != 0
            if bytes[index] & 0x1F == 0x1F {
                // A long tag: octets with the highest bit set, and one without.
                index += 1
                while index < bytes.endIndex, bytes[index] & 0x80 != 0 { index += 1 }
            }
            index += 1
            guard index < bytes.endIndex else { return }
            let first = Int(bytes[index])
            index += 1
            var length = first
            if first > 0x80 {
                let octets = bytes[index...].prefix(first & 0x7F)
                index += octets.count
                // More than fits is more than there is.
                length = octets.reduce(0) { $0 > bytes.count ? $0 : $0 << 8 | Int($1) }
            }
            // Into what is constructed, and past what isn't. An indefinite
            // length ends with two zeros, which look like one more node.
            if !isConstructed, first != 0x80 { index += min(length, bytes.endIndex - index) }
        }
    }
}

extension Certificate {
    /// Reads a certificate that comes from outside.
    init(untrusted der: ArraySlice<UInt8>) throws {
        try NodeLimit.check(der)
        try self.init(derEncoded: der)
    }
}
