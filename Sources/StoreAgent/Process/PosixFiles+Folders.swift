// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Aliases, because the methods of `PosixFiles` hide these functions.
private let makeDirectory = mkdir
private let get = read

// Folders of files that are written in parts.
extension PosixFiles {
    func size(of file: URL) -> Int64? {
        var facts = stat()
        guard lstat(file.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(facts.st_size)
    }

    func isFolder(_ folder: URL) -> Bool {
        var facts = stat()
        return lstat(folder.path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// The number of bytes that are read with one call.
    private static let partBytes = 1 << 20

    func read(_ file: URL, _ part: (Data) throws -> Void) throws {
        let descriptor = try Posix.descriptor(of: file.path, O_RDONLY | O_NOFOLLOW)
        defer { Posix.shut(descriptor) }
        var buffer = Data(count: Self.partBytes)
        while true {
            let count = buffer.withUnsafeMutableBytes { get(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw Posix.failure("read", file.path)
            }
            if count == 0 { return }
            try part(buffer.prefix(count))
        }
    }

    func makeFolder(_ folder: URL) throws {
        guard makeDirectory(folder.path, 0o700) != 0 else { return }
        if errno == ENOENT {
            let parent = folder.deletingLastPathComponent()
            guard parent.path != folder.path else { throw Posix.failure("made", folder.path) }
            try makeFolder(parent)
            guard makeDirectory(folder.path, 0o700) != 0 else { return }
        }
        // A folder above may be a link, which `mkdir` follows.
        guard errno == EEXIST, Posix.isFolder(folder.path) else { throw Posix.failure("made", folder.path) }
    }

    func names(in folder: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    func removeFolder(_ folder: URL) throws {
        guard isFolder(folder) else { return }
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            throw AgentError(
                .home,
                "\(folder.path) can't be removed (\(error.localizedDescription)). Make it writable for this user."
            )
        }
    }

    /// The largest number of files that are made durable one by one. Each
    /// takes a write of the file system's journal.
    private static let singleFiles = 32

    func synchronise(contentsOf folder: URL) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        if names.count > Self.singleFiles, Posix.synchroniseFileSystem(of: folder.path) { return }
        for name in names {
            try synchronise(folder.appendingPathComponent(name).path)
        }
        try synchronise(folder.path)
    }

    private func synchronise(_ path: String) throws {
        let descriptor = try Posix.descriptor(of: path, O_RDONLY | O_NOFOLLOW)
        defer { Posix.shut(descriptor) }
        guard fsync(descriptor) == 0 else { throw Posix.failure("written", path) }
    }
}

extension Posix {
    /// Whether a path leads to a folder, through links too.
    fileprivate static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// Makes everything on a path's file system durable.
    ///
    /// - Returns: whether that is done. Only Linux has the call, which its
    ///   headers hide from Swift.
    fileprivate static func synchroniseFileSystem(of path: String) -> Bool {
        typealias Call = @convention(c) (Int32) -> Int32
        guard let symbol = dlsym(nil, "syncfs"), let descriptor = try? descriptor(of: path, O_RDONLY) else {
            return false
        }
        defer { shut(descriptor) }
        return unsafeBitCast(symbol, to: Call.self)(descriptor) == 0
    }
}
