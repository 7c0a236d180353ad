// SPDX-License-Identifier: Apache-2.0

/// The downloads that were delivered to one subscriber.
struct DeliveredDownloads: Sendable {
    private var downloads: [AgentDownload.ID: AgentDownload] = [:]

    /// Returns those of the changed downloads that the subscriber has to
    /// receive, and records them as delivered.
    ///
    /// A download that is waiting, as it was in its transaction, isn't
    /// delivered. One whose transaction was finished is delivered only if it
    /// was before: the app receives the end of its download.
    mutating func take(_ changed: [DownloadView], in cache: CacheFolder) -> [AgentDownload] {
        changed.compactMap { view in
            let download = AgentDownload(view.download, in: cache)
            let known = downloads[download.id]
            guard known != download else { return nil }
            if known == nil {
                guard view.isShown, download.state != .waiting else { return nil }
            }
            downloads[download.id] = view.isShown ? download : nil
            return download
        }
    }

    /// Forgets the delivered downloads, for the next handler.
    mutating func reset() {
        downloads = [:]
    }
}
