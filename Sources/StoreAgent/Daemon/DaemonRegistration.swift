// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// An app that the daemon synchronizes, as it is saved in the app's folder.
struct DaemonRegistration: Codable, Sendable, Hashable {
    /// The version of the app's StoreKit. A daemon of another one doesn't
    /// open the journal, which it might change so that the app can't read it.
    var version: DaemonVersion
    var app: DaemonApp

    /// The registrations in a home, by the names of their folders. One that
    /// can't be read is left out: the app makes it anew.
    static func loadAll(_ folder: DaemonFolder, _ files: any FileSystem) -> [DaemonRegistration] {
        files.names(in: folder.apps).sorted().compactMap { name in
            let file = folder.registration(of: name)
            guard let bytes = try? files.contents(of: file),
                let saved = try? StoreCoding.decode(DaemonRegistration.self, from: bytes),
                saved.app.bundleIdentifier == name
            else { return nil }
            return saved
        }
    }

    /// Removes the registration of an app durably.
    ///
    /// - Throws: ``DaemonRefusal`` with the code `unknown`, ``AgentError`` with
    ///   the code `home`.
    static func remove(_ bundle: String, _ folder: DaemonFolder, _ files: any FileSystem) throws {
        let file = folder.registration(of: bundle)
        guard try files.contents(of: file) != nil else {
            throw DaemonRefusal(
                code: .unknown,
                message: """
                    storeagentd doesn't know \(bundle). storectl device status lists the apps of a running daemon.
                    """)
        }
        files.remove(file)
        guard files.inode(of: file) == nil else {
            throw AgentError(
                .home, "\(file.path) can't be removed. Give this user the right to write its folder, and try again.")
        }
        try files.synchronise(folder: file.deletingLastPathComponent())
    }

    /// Saves it durably, unless the same is saved already.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func save(_ folder: DaemonFolder, _ files: any FileSystem) throws {
        let file = folder.registration(of: app.bundleIdentifier)
        let bytes = try StoreCoding.encode(self)
        let own = file.deletingLastPathComponent()
        if let saved = try? files.contents(of: file), saved == bytes {
            // The process that wrote the file may have died before the folder
            // was synchronised.
            return try files.synchronise(folder: own)
        }
        try files.makeFolder(own)
        try files.replace(file, temporary: ".daemon.json") { _ in bytes }
    }
}
