// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A purchase as it is encoded in a receipt.
package struct ReceiptEntry: Hashable, Sendable {
    package var kind: Product.Kind
    package var encoded: Data

    package init(kind: Product.Kind, encoded: Data) {
        self.kind = kind
        self.encoded = encoded
    }
}

/// The purchases that a receipt lists, of those that it should list. A
/// receipt has a largest size, beyond which no device and no seller's server
/// reads it.
struct ReceiptSelection: Hashable, Sendable {
    private(set) var listed: [Data] = []
    /// The number of purchases that have no room.
    private(set) var omitted = 0

    /// Selects entries up to a number of bytes. When there is no room for all,
    /// non-consumables come first, because they can be restored, then the
    /// newest.
    ///
    /// - Parameters:
    ///   - entries: The entries, newest first.
    ///   - room: The largest number of bytes of all entries together.
    init(of entries: [ReceiptEntry], room: Int) {
        let size = entries.reduce(0) { $0 + Self.size(of: $1) }
        guard size > room else {
            listed = entries.map(\.encoded)
            return
        }
        var left = room
        for entry in entries.filter(\.kind.isOwnedOnce) + entries.filter({ !$0.kind.isOwnedOnce }) {
            let size = Self.size(of: entry)
            if size <= left {
                left -= size
                listed.append(entry.encoded)
            } else {
                omitted += 1
            }
        }
    }

    /// The entry's bytes, and those of its attribute's head: tags, lengths,
    /// type and version.
    private static func size(of entry: ReceiptEntry) -> Int { entry.encoded.count + 24 }
}
