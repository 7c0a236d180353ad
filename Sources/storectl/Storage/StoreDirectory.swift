// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreDomain

/// The folder of a store: `store.sqlite`, `authority/`, `content/`,
/// `roots.pem`, `control.token` and `control.address`. A PostgreSQL store has
/// neither of the first two, and its `control.token` is a copy of the row that
/// all nodes share.
struct StoreDirectory {
    var url: URL

    /// Opens the folder at a path, and creates it when it is missing; `nil`
    /// is `$XDG_DATA_HOME/openstorekit`.
    ///
    /// - Throws: ``CommandFailure``.
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
        try closeToOthers()
    }

    /// Removes the rights of group and others from a folder that existed
    /// before, because it contains keys and customers' data.
    private func closeToOthers() throws {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard let rights = (attributes?[.posixPermissions] as? NSNumber)?.intValue, rights & 0o077 != 0 else { return }
        do {
            try FileManager.default.setAttributes([.posixPermissions: rights & 0o700], ofItemAtPath: url.path)
            say("\(url.path) was open to other users; only its owner can enter it now.")
        } catch {
            say("\(url.path) is open to other users: take their rights away (chmod 700).")
        }
    }

    var databasePath: String { url.appending(path: "store.sqlite").path }
    var authorityURL: URL { url.appending(path: "authority", directoryHint: .isDirectory) }

    /// The default folder of hosted content.
    var contentURL: URL { url.appending(path: "content", directoryHint: .isDirectory) }

    /// The folder of packages that arrive for a bucket.
    var incomingURL: URL { url.appending(path: "incoming", directoryHint: .isDirectory) }

    var controlTokenURL: URL { url.appending(path: "control.token") }

    /// The file with the address at which the store was served last, so that
    /// commands find it. A second word says that the store had another
    /// database than the folder's.
    private var controlAddressURL: URL { url.appending(path: "control.address") }
    private static let otherDatabase = "other-database"

    /// Records the address at which commands reach the store, and whether the
    /// store has the folder's database. A folder that can't be written is
    /// logged: commands then need the address.
    func recordControlAddress(_ address: String, servingFrom location: DatabaseLocation, _ logger: Logger) {
        let words = location.isSame(as: databaseLocation) ? [address] : [address, Self.otherDatabase]
        do {
            try Data("\(words.joined(separator: " "))\n".utf8).write(to: controlAddressURL, options: .atomic)
        } catch {
            logger.warning("the store's address can't be recorded", metadata: ["error": "\(error)"])
        }
    }

    /// The address at which the store was served last; `nil` when none is
    /// recorded.
    func recordedControlAddress() -> String? { recordedWords().first }

    /// Whether the store of this folder was served last on another database
    /// than the folder's.
    var hasOtherDatabase: Bool { recordedWords().dropFirst().first == Self.otherDatabase }

    private func recordedWords() -> [String] {
        let contents = FileManager.default.contents(atPath: controlAddressURL.path) ?? Data()
        return String(decoding: contents, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// The token of the remote control, which is created at first use.
    /// Processes that can read the folder may use the remote control.
    ///
    /// - Throws: ``CommandFailure`` when the file can't be created or read.
    func controlToken(random: RandomSource) throws -> String {
        if !FileManager.default.fileExists(atPath: controlTokenURL.path) {
            try writeControlToken(random.hexadecimal(bytes: 32))
        }
        return try readControlToken()
    }

    /// Writes the token of the remote control, unless the file has it. A
    /// command that reads meanwhile finds the old token or the new one.
    ///
    /// - Throws: ``CommandFailure`` when the file can't be made.
    func writeControlToken(_ token: String) throws {
        guard findControlToken() != token else { return }
        let new = controlTokenURL.path + ".new"
        // A start that was interrupted may have left one.
        unlink(new)
        try PrivateFile.create(new, Data("\(token)\n".utf8))
        guard rename(new, controlTokenURL.path) == 0 else {
            throw CommandFailure("The file \(controlTokenURL.path) can't be made.")
        }
    }

    /// The token in the folder; `nil` if there is none.
    func findControlToken() -> String? {
        guard let data = FileManager.default.contents(atPath: controlTokenURL.path) else { return nil }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    /// Reads the token of the remote control.
    ///
    /// - Throws: ``CommandFailure`` when there is none.
    func readControlToken() throws -> String {
        guard let token = findControlToken() else {
            throw CommandFailure(
                "There is no token in \(controlTokenURL.path): say where the store's folder is with --data DIR.")
        }
        return token
    }

    /// The location of the database in the folder.
    var databaseLocation: DatabaseLocation { .sqlite(path: databasePath) }
}
