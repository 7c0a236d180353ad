// SPDX-License-Identifier: Apache-2.0

import AppReceipts
package import Foundation

/// A purchase as it is encoded in a receipt.
package struct ReceiptEntry: Hashable, Sendable {
    /// The kind of the product, which decides whether the purchase stays in the
    /// receipt.
    package var kind: Product.Kind
    /// The end of a subscription's period; `nil` for any other purchase.
    package var expires: StoreTime?
    /// The attribute of the receipt, in DER.
    package var encoded: Data

    package init(kind: Product.Kind, expires: StoreTime? = nil, encoded: Data) {
        self.kind = kind
        self.expires = expires
        self.encoded = encoded
    }
}

/// The purchases that a receipt lists, of those that it should list. A
/// receipt has a largest size, beyond which no device and no seller's server
/// reads it.
struct ReceiptSelection: Hashable, Sendable {
    /// The bytes of a receipt's purchases: the largest receipt without its
    /// certificates and other attributes.
    static let room = UnverifiedAppReceipt.defaultMaximumLength - (64 << 10)
    /// No receipt has room for more purchases than this.
    static let mostEntries = room / 100

    private(set) var listed: [Data] = []
    /// The number of purchases that have no room.
    private(set) var omitted = 0

    /// Selects entries up to a number of bytes. When there is no room for all,
    /// non-consumables come first, because they can be restored, then the
    /// periods of subscriptions that are running, then the newest.
    ///
    /// - Parameters:
    ///   - entries: The entries, newest first.
    ///   - now: The account's time.
    ///   - room: The largest number of bytes of all entries together.
    init(of entries: [ReceiptEntry], at now: StoreTime, room: Int = Self.room) {
        let size = entries.reduce(0) { $0 + Self.size(of: $1) }
        guard size > room else {
            listed = entries.map(\.encoded)
            return
        }
        var left = room
        for rank in Rank.allCases {
            for entry in entries where Rank(of: entry, at: now) == rank {
                let size = Self.size(of: entry)
                if size <= left {
                    left -= size
                    listed.append(entry.encoded)
                } else {
                    omitted += 1
                }
            }
        }
    }

    /// The order in which entries get room.
    private enum Rank: CaseIterable {
        case ownedOnce, running, other

        init(of entry: ReceiptEntry, at now: StoreTime) {
            if entry.kind.isOwnedOnce {
                self = .ownedOnce
            } else if let expires = entry.expires, expires > now {
                self = .running
            } else {
                self = .other
            }
        }
    }

    /// The entry's bytes, and those of its attribute's head: tags, lengths,
    /// type and version.
    private static func size(of entry: ReceiptEntry) -> Int { entry.encoded.count + 24 }
}
