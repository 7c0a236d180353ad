// SPDX-License-Identifier: Apache-2.0

import SwiftASN1
import X509

/// The limit for the nodes of a certificate from outside.
///
/// X509's parser takes about a hundred bytes of memory for every node, and a
/// node can be as short as two bytes: without a limit, a message of a few
/// megabytes would take hundreds of them. The nodes are therefore counted
/// before parsing, which takes no memory.
enum NodeLimit {
    /// A store's certificates have fewer than a hundred.
    private static let most = 2000

    /// Counts the nodes, without a check of their structure.
    ///
    /// - Throws: ``AppReceiptError/Code/tooLarge`` if there are more than the
    ///   limit.
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
                // A length that exceeds the bytes is kept, so that it can't
                // overflow.
                length = octets.reduce(0) { $0 > bytes.count ? $0 : $0 << 8 | Int($1) }
            }
            // Continues inside of a constructed node, and after any other. An
            // indefinite length ends with two zeros, which count as one more
            // node.
            if !isConstructed, first != 0x80 { index += min(length, bytes.endIndex - index) }
        }
    }
}

extension Certificate {
    /// Reads a certificate from outside, after a check of its ``NodeLimit``.
    init(untrusted der: ArraySlice<UInt8>) throws {
        try NodeLimit.check(der)
        try self.init(derEncoded: der)
    }
}
