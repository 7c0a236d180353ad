// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// A download, and the state of its transaction's entry, as the delivery reads
/// them.
struct DownloadView: Sendable, Hashable {
    var download: Download
    /// The identifier of the entry.
    var entry: String
    /// The process that delivers the entry.
    var holder: String?
    /// Whether the app can see the transaction.
    var isShown: Bool
}

extension DownloadView {
    /// The downloads that were changed after a given change, oldest change
    /// first, with the number of the last one read.
    static func changed(
        _ connection: any Connection, after change: Int64, limit: Int
    ) throws -> (downloads: [DownloadView], last: Int64) {
        let rows = try connection.rows(
            """
            SELECT download.*, entry.identifier AS entry, entry.holder, entry.phase AS entry_phase FROM download
            JOIN entry ON entry.transaction_identifier = download.transaction_identifier
            WHERE download.change > $1 ORDER BY download.change LIMIT $2
            """, [change, limit])
        let views = try rows.map { row in
            DownloadView(
                download: try Download(row), entry: try row.get("entry"), holder: try row.get("holder"),
                isShown: try row.get("entry_phase") == JournalEntry.Phase.ready.rawValue)
        }
        return (views, try rows.last?.get("change") ?? change)
    }
}
