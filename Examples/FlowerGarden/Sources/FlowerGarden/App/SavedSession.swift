// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The customer who is signed in on this device, in a file that only this
/// computer's user can read.
struct SavedSession: Codable, Equatable, Sendable {
    var name: String
    var token: String

    static func load(_ file: URL) -> SavedSession? {
        (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(SavedSession.self, from: $0) }
    }

    /// Saves a session, or removes the one that has ended.
    static func save(_ session: SavedSession?, in file: URL) throws {
        guard let session else {
            if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
            return
        }
        // The file has its permissions before it has the token.
        let new = file.appendingPathExtension("new")
        try? FileManager.default.removeItem(at: new)
        guard
            FileManager.default.createFile(
                atPath: new.path, contents: try JSONEncoder().encode(session),
                attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        try DurableFile.place(new, at: file)
    }

    /// The customer in a payment, for the store a number without a meaning:
    /// the SHA-256 of the name, the same on each of the customer's devices. It
    /// is also the name of the customer's folder: one such as `..` can't leave it.
    var customer: String { SHA256.hash(data: Data(name.utf8)).map { String(format: "%02x", $0) }.joined() }
}
