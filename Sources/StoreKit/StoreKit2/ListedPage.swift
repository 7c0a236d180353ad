// SPDX-License-Identifier: Apache-2.0

import StoreAgent

/// The page of the journal that a listing reads from.
///
/// After a change of the journal, the rest of the page is read again: a
/// purchase may have been refunded since.
struct ListedPage {
    private var rows: [SignedRow] = []
    /// The place of the last row that was taken.
    private(set) var place: SignedRow.Place?
    /// The place after which the next page begins; `nil` after the last page.
    private var next: SignedRow.Place?
    /// The generation of the journal's changes that precedes the page; `nil`
    /// before the first page.
    private var generation: UInt64?
    /// Whether no row was taken since the page was read. The first one is taken
    /// in any case, so that a listing goes on beside many changes.
    private var isFresh = false
    /// The number of pages that were read.
    private(set) var number = 0

    /// Takes the next row; `nil` when a page has to be read, or the listing is
    /// over.
    mutating func take(at current: UInt64) -> SignedRow? {
        guard isFresh || current == generation else {
            rows = []
            return nil
        }
        isFresh = false
        guard !rows.isEmpty else {
            place = next ?? place
            return nil
        }
        let row = rows.removeFirst()
        place = row.place
        return row
    }

    /// Whether the last page was read, and nothing has changed since.
    func isOver(at current: UInt64) -> Bool { rows.isEmpty && next == nil && generation == current }

    /// Replaces the page.
    mutating func fill(_ rows: [SignedRow], next: SignedRow.Place?, at generation: UInt64) {
        (self.rows, self.next, self.generation, isFresh) = (rows, next, generation, true)
        number += 1
    }
}
