// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreDatabase

/// Transfers the content of the downloads that the app has started, some at a
/// time, and removes the incomplete files of those that have ended.
struct DownloadWork: BackgroundWork {
    static let name = "download"
    let synchronizer: StoreSynchronizer

    func pieces(_ connection: any Connection) throws -> [WorkPiece] {
        let transfers = DownloadTurns.choose(try Download.loadStarted(connection))
            .map { WorkPiece(work: self, name: $0.identifier, stopsRunning: $0.phase == .queued) }
        let removals = try Download.loadRemains(connection)
            .map { WorkPiece(work: self, name: $0.identifier, stopsRunning: true) }
        return transfers + removals
    }

    func perform(_ download: String) async throws {
        try await synchronizer.perform(download: download)
    }

    /// The names of the transfers among some pieces of work.
    static func transfers(in work: [WorkPiece]) -> Set<String> {
        Set(work.filter { [name, BackgroundFileWork.name].contains($0.id.kind) && !$0.stopsRunning }.map(\.name))
    }
}

extension StoreSynchronizer {
    fileprivate func perform(download identifier: String) async throws {
        guard let download = try await journal.handle(download: identifier, .begin) else { return }
        if download.hasRemains {
            try await removeOldContents(of: download.product)
            return try await removePartial(of: identifier)
        }
        guard download.phase == .active else { return }
        changed()
        try await transfers.run(identifier) {
            // The app may have acted before the transfer could be stopped.
            guard try await journal.download(identifier)?.phase == .active else { return }
            var transfer = Transfer(download, by: self)
            try await transfer.run()
        }
        changed()
    }

    /// The folder of the files of a download that aren't complete.
    func contentFolder(of download: Download, _ answer: ContentAnswer) async throws -> ContentFolder {
        try cache.create(files)
        let own = ContentFolder.name(answer.checksum)
        // A process may have ended after it moved this very content to its
        // folder, and before it saved that.
        let isThere = files.isFolder(cache.content(of: download.product, named: own))
        let earlier = isThere ? own : try await journal.content(of: download.product)?.folder
        return ContentFolder(
            url: cache.partial(of: download.identifier), files: files,
            earlier: earlier.map { cache.content(of: download.product, named: $0) })
    }

    /// Removes the contents of a product that a newer one has replaced, or
    /// that no download has finished.
    func removeOldContents(of product: String) async throws {
        let current = try await journal.content(of: product)
        let contents = cache.contents(of: product)
        for name in files.names(in: contents) where name != current?.folder {
            remove(contents.appendingPathComponent(name, isDirectory: true))
        }
    }

    /// Removes the incomplete files of a download that has ended.
    func removePartial(of identifier: String) async throws {
        remove(cache.partial(of: identifier))
        try await journal.removedPartial(of: identifier)
    }

    /// Removes a folder, so that it is gone after a power failure too: the
    /// journal may record the removal next. A folder that can't be removed is
    /// logged and stays.
    func remove(_ folder: URL) {
        do {
            try files.removeFolder(folder)
            let parent = folder.deletingLastPathComponent()
            try files.makeFolder(parent)
            try files.synchronise(folder: parent)
        } catch {
            logger.error("Files of a download stay: \(error)")
        }
    }
}
