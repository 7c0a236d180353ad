// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// The download of the hosted content of one transaction, from the offer of
/// the store until the transaction is finished.
///
/// It is a state machine without side effects: ``handle(_:)`` takes an input
/// and decides the next phase. The journal stores it, and all work follows
/// from the stored phases.
struct Download: Sendable, Hashable {
    /// The phase of a download. The raw values are stored in the journal.
    enum Phase: String, Sendable, Hashable, CaseIterable {
        /// The app hasn't started it.
        case offered
        /// The app has started or resumed it, and it waits for its turn.
        case queued
        /// It is transferred, or continues when the store can be reached.
        case active
        case paused
        /// All files are verified, and in the folder of the product's content.
        case finished
        case failed
        /// Cancelled by the app, or by the end of the transaction.
        case cancelled
    }

    /// Derived from the transaction and the product. It is a name of a folder.
    let identifier: String
    let transaction: String
    let product: String
    var version: String
    /// The bytes of all files.
    var length: Int64
    var phase = Phase.offered
    /// The place in the order in which the app has started downloads.
    var turn: Int64 = 0
    /// The bytes of the files that are on disk.
    var received: Int64 = 0
    /// The estimated time until the end, in milliseconds; `nil` when it is
    /// unknown.
    var remaining: Int64?
    var failure: DownloadFailure?
    /// The checksum of the packed object that is transferred. `nil` asks the
    /// store for the newest version.
    var checksum: String?
    /// The name of the folder of the finished content.
    var folder: String?
    /// Whether there may be a folder of files that aren't complete.
    var hasPartial = false
    /// Whether the transaction was finished, or has left the queue.
    var isClosed = false
}

extension Download {
    /// An event that changes a download.
    enum Input: Sendable, Hashable {
        /// The store offers this content for the transaction, which isn't
        /// finished.
        case offered(ContentOffer)
        /// The app starts it. `hasContent`: the finished content is still in
        /// its folder.
        case start(turn: Int64, hasContent: Bool)
        case pause
        case resume(turn: Int64)
        case cancel
        /// The transfer begins, or goes on in another process.
        case begin
        /// The head of a packed object is known.
        case opened(version: String, length: Int64, checksum: String)
        case progress(received: Int64, remaining: Int64?)
        /// The transfer has failed; `keepsPartial`: its files are kept, to go
        /// on later.
        case failed(DownloadFailure, keepsPartial: Bool)
        /// The content is in a folder of this name.
        case finished(folder: String)
        /// The folder of files that aren't complete was removed.
        case removedPartial
        /// The transaction was finished, or has left the queue.
        case closed
    }

    /// Whether the folder of incomplete files has to be removed.
    var hasRemains: Bool { hasPartial && (phase == .cancelled || phase == .finished) }
}
