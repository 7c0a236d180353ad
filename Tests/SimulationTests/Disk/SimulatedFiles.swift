// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent

/// The file system of one process' agent, on a simulated disk.
struct SimulatedFiles: FileSystem {
    let life: ProcessLife
    /// The folder that is mounted as the root of the disk.
    let root: String
    /// Whether a removed file still has an inode, so that the agent doesn't
    /// notice the removal.
    var overlooksRemovals = false
    /// The folder of caches; `nil` in a world without content.
    var caches: SimulatedCaches?
    /// Called after an access in which the process or its machine has ended.
    var look: @Sendable () -> Void = {}

    func name(_ file: URL) -> String { String(file.path.dropFirst(root.count + 1)) }

    func attempt<T>(_ file: URL, _ body: (SimulatedDisk) throws -> T) throws -> T {
        do {
            return try body(life.disk)
        } catch let failure as DiskFailure {
            if failure == .dead { look() }
            throw AgentError(
                .home, "\(name(file)): \(failure)", systemError: failure == .full ? ENOSPC : nil)
        }
    }

    func contents(of file: URL) throws -> Data? {
        do {
            return try life.disk.file(name(file), for: life).bytes.data
        } catch DiskFailure.missing {
            return nil
        } catch {
            throw AgentError(.home, "\(name(file)): \(error)")
        }
    }

    func inode(of file: URL) -> UInt64? {
        let number = try? life.disk.file(name(file), for: life).number
        return overlooksRemovals ? number ?? 0 : number
    }

    /// Runs the body without a lock: the scheduler runs no other process
    /// meanwhile.
    func withLock<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result {
        try body()
    }

    func makeFile(_ file: URL) throws -> any WritableFile {
        try attempt(file) { Open(file: try $0.makeFile(name(file), for: life), files: self, url: file) }
    }

    func rename(_ file: URL, to other: URL) throws {
        try attempt(file) { disk in
            try disk.move(name(file), to: name(other), for: life)
            try caches?.moved(name(other), life)
        }
    }

    func remove(_ file: URL) {
        try? life.disk.remove(name(file), synchronises: false, for: life)
    }

    func synchronise(folder: URL) throws {
        try attempt(folder) { try $0.synchroniseNames(in: name(folder), for: life) }
    }

    struct Open: WritableFile {
        let file: DiskFile
        let files: SimulatedFiles
        let url: URL

        var inode: UInt64 { file.number }

        func write(_ data: Data) throws {
            try files.attempt(url) { disk in
                try files.caches?.requireRoom(for: files.name(url))
                try data.withUnsafeBytes { try disk.write($0, to: file, at: file.bytes.count, for: files.life) }
            }
        }

        /// Makes only the bytes durable; the name becomes durable when the
        /// folder is synchronised.
        func synchronise() throws {
            try files.attempt(url) { try $0.synchronise(file, named: nil, for: files.life) }
        }

        func close() {}
    }
}
