// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// Everything that the back end stores: one file, replaced as a whole.
actor Records {
    struct Contents: Codable {
        var customers: [String: Customer] = [:]
        /// By the SHA-256 of the session's token: a copy of the file signs no customer in.
        var sessions: [String: Session] = [:]
        /// The customer of each original transaction.
        var owners: [String: String] = [:]
    }

    struct Session: Codable {
        var name: String
        var expires: Date
    }

    private let file: URL
    private let lock: Int32
    private var contents: Contents

    /// - Throws: ``Failure`` if another process uses the file, and an error of
    ///   Foundation if it is there and can't be read.
    init(_ file: URL) throws {
        self.file = file
        // Two processes would replace each other's changes.
        lock = open(file.appendingPathExtension("lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw Failure("\(file.path) is in use, or its folder can't be written. Choose another FLOWERGARDEN_DATA.")
        }
        contents =
            FileManager.default.fileExists(atPath: file.path)
            ? try JSONDecoder().decode(Contents.self, from: Data(contentsOf: file)) : Contents()
    }

    deinit { close(lock) }

    func read<Value: Sendable>(_ body: (Contents) throws -> Value) rethrows -> Value { try body(contents) }

    /// Changes a copy, writes it, and only then uses it: a change that is
    /// refused or can't be written leaves everything as it is.
    func change<Value: Sendable>(_ body: (inout Contents) throws -> Value) throws -> Value {
        var changed = contents
        let value = try body(&changed)
        try write(JSONEncoder().encode(changed))
        contents = changed
        return value
    }

    /// Replaces the file by one that is on the disk. A power failure leaves
    /// either, and none of a change that an app has an answer to is lost.
    private func write(_ data: Data) throws {
        let new = file.appendingPathExtension("new")
        let descriptor = open(new.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("\(new.path) can't be written.") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
        // The new name is in the folder, which is flushed too.
        let folder = open(file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        guard rename(new.path, file.path) == 0, fsync(folder) == 0 else {
            throw Failure("\(file.path) can't be replaced.")
        }
    }
}
