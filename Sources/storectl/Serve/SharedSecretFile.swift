// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// An app and the file with its shared secret: `BUNDLE-ID=FILE`. A file,
/// because other users can read command lines and environments.
struct SharedSecretFile {
    var bundleIdentifier: String
    var path: String

    /// Reads the argument of `--shared-secret`.
    ///
    /// - Throws: `ValidationError`.
    static func parse(_ text: String) throws -> SharedSecretFile {
        guard let file = SharedSecretFile(text) else {
            throw ValidationError("--shared-secret takes BUNDLE-ID=FILE, not \"\(text)\".")
        }
        return file
    }

    private init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        bundleIdentifier = String(parts[0])
        path = String(parts[1])
    }

    /// Reads the secrets, by bundle identifier. Each is the only line of its
    /// file.
    ///
    /// - Throws: `CommandFailure` for a file without one, and for an app that
    ///   is named twice.
    static func read(_ files: [SharedSecretFile]) throws -> [String: String] {
        var secrets: [String: String] = [:]
        for file in files {
            guard secrets[file.bundleIdentifier] == nil else {
                throw CommandFailure("--shared-secret names \(file.bundleIdentifier) twice: an app has one secret.")
            }
            secrets[file.bundleIdentifier] = try file.secret()
        }
        return secrets
    }

    private func secret() throws -> String {
        let contents = try readFile(path, what: "shared secret of \(bundleIdentifier)")
        let lines = String(decoding: contents, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.count == 1, contents.count <= 1000 else {
            throw CommandFailure(
                "\(path) is no shared secret: it has one line with the password that \(bundleIdentifier)'s server sends."
            )
        }
        return String(lines[0])
    }
}
