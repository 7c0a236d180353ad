// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Agent {
    /// The downloads of a transaction that isn't finished, in the order of
    /// their products.
    package func downloads(of transactionIdentifier: String) -> [AgentDownload] {
        ((try? journal.downloads(of: transactionIdentifier)) ?? []).map { AgentDownload($0, in: cache) }
    }

    /// The transaction of a download, as the app sees it; `nil` after it was
    /// finished.
    package func transaction(of download: AgentDownload) -> AgentTransaction? {
        try? journal.entry(ofTransaction: download.transactionIdentifier)?.shown
    }

    /// Starts downloads, in the order of the list. One that was paused or has
    /// failed goes on; one that was cancelled, or whose content was removed
    /// or moved, begins anew.
    ///
    /// - Throws: `DatabaseError` when the journal can't be written, as the
    ///   other methods.
    package func start(_ downloads: [AgentDownload.ID]) throws {
        let (cache, files) = (cache, files)
        try act(.start { files.isFolder(cache.content(of: $0, named: $1)) }, on: downloads)
    }

    /// Pauses downloads. Their files are kept.
    package func pause(_ downloads: [AgentDownload.ID]) throws {
        try act(.pause, on: downloads)
    }

    /// Resumes downloads that were paused or have failed. Each takes the
    /// newest version of the content.
    package func resume(_ downloads: [AgentDownload.ID]) throws {
        try act(.resume, on: downloads)
    }

    /// Cancels downloads that aren't finished, and removes their files.
    package func cancel(_ downloads: [AgentDownload.ID]) throws {
        try act(.cancel, on: downloads)
    }

    private func act(_ action: Journal.DownloadAction, on downloads: [AgentDownload.ID]) throws {
        try journal.act(action, on: downloads)
        synchronizer.changed()
    }

    /// The folder of a product's content that was downloaded last; `nil` when
    /// there is none, or the app has moved it.
    package func content(of product: String) -> URL? {
        guard let content = try? journal.content(of: product) else { return nil }
        let folder = cache.content(of: product, named: content.folder)
        return files.isFolder(folder) ? folder : nil
    }

    /// Deletes the downloaded content of a product.
    ///
    /// - Throws: ``AgentError`` with the code `home`, `DatabaseError`.
    package func deleteContent(of product: String) throws {
        guard try journal.content(of: product) != nil else { return }
        try files.removeFolder(cache.contents(of: product))
        try journal.forgetContent(of: product)
        synchronizer.changed()
    }
}
