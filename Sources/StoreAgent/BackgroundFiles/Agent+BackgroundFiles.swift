// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Agent {
    /// Starts a download from a seller's server, durably.
    ///
    /// - Throws: ``BackgroundFileFailure``, `DatabaseError`.
    package func start(_ request: BackgroundFileRequest) throws -> BackgroundFile {
        let file = try journal.start(request, now: clock.now) { [cache, files] file in
            files.size(of: BackgroundFolder(file, in: cache).complete) != nil
        }
        synchronizer.changed()
        return file.placed(in: cache)
    }

    /// The downloads from sellers' servers that aren't ended.
    ///
    /// - Throws: `DatabaseError`.
    package func backgroundFiles() throws -> [BackgroundFile] {
        try journal.backgroundFiles().map { $0.placed(in: cache) }
    }

    /// Ends a download, and removes its files; with `ifFinished`, only a
    /// finished one.
    ///
    /// - Throws: `DatabaseError`.
    package func endBackgroundFile(_ identifier: String, ifFinished: Bool) throws {
        try journal.endBackgroundFile(identifier, ifFinished: ifFinished)
        synchronizer.changed()
    }

    /// Calls a handler with the downloads as they are, and with each change,
    /// on a queue of the agent.
    ///
    /// - Returns: the number to stop by.
    package func observeBackgroundFiles(_ handler: @escaping @Sendable ([BackgroundFile]) -> Void) -> Int {
        delivery.observeBackgroundFiles(handler)
    }

    /// Stops the calls of a handler.
    package func stopObservingBackgroundFiles(_ observer: Int) {
        delivery.stopObservingBackgroundFiles(observer)
    }
}

extension BackgroundFile {
    /// The download with the place of its file.
    func placed(in cache: CacheFolder) -> BackgroundFile {
        var placed = self
        placed.file = phase == .finished ? BackgroundFolder(self, in: cache).complete : nil
        return placed
    }
}

/// The files of a download.
struct BackgroundFolder {
    let url: URL
    /// The file that isn't complete.
    let partial: URL
    let complete: URL

    init(_ file: BackgroundFile, in cache: CacheFolder) {
        url = cache.background(file.sequence)
        partial = url.appendingPathComponent("\(file.generation).partial")
        complete = url.appendingPathComponent("\(file.generation).complete")
    }
}
