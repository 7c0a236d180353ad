// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Deletes the rows that the books don't need, each kind after the time that
/// ``Retention`` sets.
///
/// It reads a page of old rows by an index, outside of a write, and deletes
/// the page's rows by their keys in a short write. The statement that deletes
/// a row checks again that it is old, so that several processes may run it at
/// a time.
package struct DeletingOldRows: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of rows that one transaction reads or deletes. One
    /// more row can change with each, such as the request of a list.
    package static let batch = 200

    /// The result of a round for one kind of row.
    package enum Report: Sendable {
        /// Rows of a kind of ``Retention`` were deleted.
        case deleted(Int, kind: String)
        /// A kind of row couldn't be deleted further; the next round tries
        /// again.
        case failed(kind: String, any Error)
    }

    /// Deletes all rows that are old now, until the task is cancelled. A kind
    /// that fails doesn't stop the others.
    ///
    /// `pages` is the largest number of pages that are read of each kind; a
    /// test sets it.
    package func callAsFunction(pages: Int = .max, report: @Sendable (Report) -> Void = { _ in }) async {
        for rows in OldRows.all(context.retention) {
            var deleted = 0
            do {
                try await recordAges(of: rows, pages: pages)
                try await delete(rows, pages: pages, counting: &deleted)
            } catch is CancellationError {
                return
            } catch {
                report(.failed(kind: rows.kind, error))
            }
            if deleted > 0 { report(.deleted(deleted, kind: rows.kind)) }
        }
    }

    private func delete(_ rows: OldRows, pages: Int, counting deleted: inout Int) async throws {
        let limit = now - .seconds(rows.days * 24 * 60 * 60)
        var last: OldRows.Position?
        for _ in 0..<pages {
            try Task.checkCancellation()
            let page = try await read { [last] db in try rows.page(before: limit, after: last, db) }
            if !page.due.isEmpty { deleted += try await rows.delete(page.due, limit, context) }
            guard let final = page.last else { return }
            last = final
        }
    }

    /// Gives the rows of older versions, which have no age, the present time.
    private func recordAges(of rows: OldRows, pages: Int) async throws {
        guard rows.hasRowsWithoutAge else { return }
        for _ in 0..<pages {
            try Task.checkCancellation()
            let keys = try await read { db in try rows.withoutAge(db) }
            if !keys.isEmpty {
                try await write(rows.scope) { db in
                    for key in keys { try rows.recordAge(of: key, db) }
                }
            }
            guard keys.count == Self.batch else { return }
        }
    }
}
