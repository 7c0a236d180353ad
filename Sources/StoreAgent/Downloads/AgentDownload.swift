// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The download of a transaction's content, as an app sees it.
package struct AgentDownload: Sendable, Hashable, Identifiable {
    /// The state of a download.
    package enum State: Sendable, Hashable {
        /// Not started, or started and waiting for its turn.
        case waiting
        case active
        case paused
        case finished
        /// ``AgentDownload/failure`` has the reason.
        case failed
        case cancelled
    }

    /// The agent's identifier of the download, the same in all launches.
    package var id: String
    package var transactionIdentifier: String
    package var productIdentifier: String
    package var version: String
    /// The bytes of all files.
    package var length: Int64
    package var state: State
    /// The bytes of the files that have arrived.
    package var received: Int64
    /// The estimated time until the end, in milliseconds; `nil` when it is
    /// unknown.
    package var remaining: Int64?
    package var failure: DownloadFailure?
    /// The folder of the finished content.
    package var content: URL?
    /// The number of the app's last start, which no other start has: two ends
    /// of a download that was started twice differ by it.
    package var turn: Int64

    /// Makes a download. Only the agent does so, for an app.
    package init(
        id: String, transactionIdentifier: String, productIdentifier: String, version: String, length: Int64,
        state: State, received: Int64 = 0, remaining: Int64? = nil, failure: DownloadFailure? = nil,
        content: URL? = nil, turn: Int64 = 0
    ) {
        self.id = id
        self.transactionIdentifier = transactionIdentifier
        self.productIdentifier = productIdentifier
        self.version = version
        self.length = length
        self.state = state
        self.received = received
        self.remaining = remaining
        self.failure = failure
        self.content = content
        self.turn = turn
    }

    /// The part that has arrived, from 0 to 1.
    package var progress: Double {
        guard state != .finished else { return 1 }
        return length > 0 ? Double(received) / Double(length) : 0
    }
}

extension AgentDownload {
    init(_ download: Download, in cache: CacheFolder) {
        self.init(
            id: download.identifier, transactionIdentifier: download.transaction,
            productIdentifier: download.product, version: download.version, length: download.length,
            state: State(download.phase), received: download.received, remaining: download.remaining,
            failure: download.failure,
            content: download.folder.map { cache.content(of: download.product, named: $0) }, turn: download.turn)
    }
}

extension AgentDownload.State {
    fileprivate init(_ phase: Download.Phase) {
        switch phase {
        case .offered, .queued: self = .waiting
        case .active: self = .active
        case .paused: self = .paused
        case .finished: self = .finished
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}
