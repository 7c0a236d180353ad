// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import Synchronization

@testable import StoreAgent

/// A disk that refuses writes of downloads: from a number of bytes on it is
/// full, or the folder of caches can't be written.
final class FaultyDisk: Sendable {
    private struct State {
        var room: Int?
        var isReadOnly = false
    }

    private let state = Mutex(State())

    /// The bytes that can still be written; `nil` for any number.
    var room: Int? {
        get { state.withLock { $0.room } }
        set { state.withLock { $0.room = newValue } }
    }

    /// Whether nothing can be created.
    var isReadOnly: Bool {
        get { state.withLock { $0.isReadOnly } }
        set { state.withLock { $0.isReadOnly = newValue } }
    }

    /// Takes room for bytes.
    ///
    /// - Returns: the bytes that fit.
    func take(_ count: Int) -> Int {
        state.withLock { state in
            guard let room = state.room else { return count }
            let fits = min(room, count)
            state.room = room - fits
            return fits
        }
    }

    func checkCreation(of url: URL) throws {
        guard isReadOnly, url.path.contains("/caches/") else { return }
        throw AgentError(.home, "\(url.path): permission denied", systemError: EACCES)
    }
}

/// The files of the operating system on a faulty disk. Nothing is made durable:
/// the tests' machine keeps its power.
struct FaultyFiles: FileSystem {
    let disk: FaultyDisk
    /// Whether no file can be removed.
    private let keepsFiles: Bool
    private let system = PosixFiles()

    init(_ disk: FaultyDisk, keepsFiles: Bool = false) {
        self.disk = disk
        self.keepsFiles = keepsFiles
    }

    func contents(of file: URL) throws -> Data? { try system.contents(of: file) }
    func inode(of file: URL) -> UInt64? { system.inode(of: file) }
    func withLock<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result {
        try system.withLock(file, body)
    }
    func makeFile(_ file: URL) throws -> any WritableFile {
        try disk.checkCreation(of: file)
        return FaultyFile(file: try system.makeFile(file), disk: disk)
    }
    func openFile(_ file: URL) throws -> any WritableFile { FaultyFile(file: try system.openFile(file), disk: disk) }
    func rename(_ file: URL, to other: URL) throws { try system.rename(file, to: other) }
    func remove(_ file: URL) {
        if !keepsFiles { system.remove(file) }
    }
    func synchronise(folder: URL) {}
    func size(of file: URL) -> Int64? { system.size(of: file) }
    func read(_ file: URL, _ part: (Data) throws -> Void) throws { try system.read(file, part) }
    func makeFolder(_ folder: URL) throws {
        try disk.checkCreation(of: folder)
        try system.makeFolder(folder)
    }
    func isFolder(_ folder: URL) -> Bool { system.isFolder(folder) }
    func names(in folder: URL) -> [String] { system.names(in: folder) }
    func removeFolder(_ folder: URL) throws { try system.removeFolder(folder) }
    func synchronise(contentsOf folder: URL) {}
}

private struct FaultyFile: WritableFile {
    let file: any WritableFile
    let disk: FaultyDisk

    var inode: UInt64 { file.inode }

    /// Writes the bytes that fit, as a full disk does.
    func write(_ data: Data) throws {
        let fits = disk.take(data.count)
        if fits > 0 { try file.write(data.prefix(fits)) }
        guard fits == data.count else { throw AgentError(.home, "No space left on device", systemError: ENOSPC) }
    }

    func synchronise() {}
    func close() { file.close() }
}

/// The operating system with a faulty disk for files. The journal isn't on it.
struct FaultySystem: AgentSystem {
    let disk: FaultyDisk
    private let system = PosixSystem()

    init(_ disk: FaultyDisk) {
        self.disk = disk
    }

    var files: any FileSystem { FaultyFiles(disk) }
    func openJournal(_ file: URL) throws -> any Database { try system.openJournal(file) }
    func makeQueue(_ label: String) -> any WorkQueue { system.makeQueue(label) }
    func enter(_ process: String, in folder: URL, woken: @escaping @Sendable () -> Void) throws -> any ProcessPresence {
        try system.enter(process, in: folder, woken: woken)
    }
    func acquireLock(_ file: URL) async throws -> any HeldLock { try await system.acquireLock(file) }
}
