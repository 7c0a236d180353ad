// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder in which a store keeps everything: `store.sqlite`, `authority/`.
struct StoreDirectory {
    var url: URL

    /// The folder at a path, made when it is missing; `nil` means
    /// `$XDG_DATA_HOME/openstorekit`.
    init(path: String?, environment: [String: String]) throws {
        if let path {
            url = URL(fileURLWithPath: path, isDirectory: true)
        } else {
            guard let home = environment["HOME"] else {
                throw CommandFailure("HOME is not set: say where the store's data is with --data DIR.")
            }
            let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.local/share"
            url = URL(fileURLWithPath: data, isDirectory: true).appending(
                path: "openstorekit", directoryHint: .isDirectory)
        }
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure("The folder \(url.path) can't be made: choose another with --data DIR.")
        }
    }

    var databasePath: String { url.appending(path: "store.sqlite").path }
    var authorityURL: URL { url.appending(path: "authority", directoryHint: .isDirectory) }

    /// The database in the folder, or the one that was asked for.
    ///
    /// - Throws: ``CommandFailure`` when the text is no location.
    func location(_ text: String?) throws -> DatabaseLocation {
        guard let text else { return .sqlite(path: databasePath) }
        guard let location = DatabaseLocation(text) else { throw CommandFailure(DatabaseLocation.expected) }
        return location
    }
}
