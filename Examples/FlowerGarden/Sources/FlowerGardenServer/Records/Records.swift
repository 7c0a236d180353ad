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
        try JSONEncoder().encode(changed).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        contents = changed
        return value
    }
}
