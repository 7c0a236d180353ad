// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Agent {
    /// Starts a download from a seller's server, durably. A finished one whose
    /// file was removed from the caches begins anew.
    ///
    /// - Throws: ``BackgroundFileFailure``, `DatabaseError`.
    package func start(_ request: BackgroundFileRequest) throws -> BackgroundFile {
        let file = try journal.start(request, now: clock.now) { [cache, files] in $0.isLost(from: cache, files) }
        synchronizer.changed()
        return file.placed(in: cache, files)
    }

    /// The downloads from sellers' servers that aren't ended.
    ///
    /// - Throws: `DatabaseError`.
    package func backgroundFiles() throws -> [BackgroundFile] {
        try journal.backgroundFiles().map { $0.placed(in: cache, files) }
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
    /// The download with the place of its file. A finished one whose file
    /// isn't in the caches any more has failed for the app.
    ///
    /// The journal isn't changed: the app may have moved the file and not yet
    /// acknowledged the download.
    func placed(in cache: CacheFolder, _ files: any FileSystem) -> BackgroundFile {
        var placed = self
        if isLost(from: cache, files) {
            (placed.phase, placed.received, placed.failure) = (.failed, 0, .lost)
        } else if phase == .finished {
            placed.file = BackgroundFolder(self, in: cache).complete
        }
        return placed
    }

    /// Whether the file of a finished download isn't in the caches: the caches
    /// were cleared, or are another folder than before.
    func isLost(from cache: CacheFolder, _ files: any FileSystem) -> Bool {
        phase == .finished && files.size(of: BackgroundFolder(self, in: cache).complete) == nil
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
