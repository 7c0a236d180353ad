// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The locations of the agent's files.
struct AgentFolder: Sendable {
    let home: URL
    let bundleIdentifier: String

    var device: URL { home.appendingPathComponent("device.json") }
    var deviceLock: URL { home.appendingPathComponent("device.lock") }
    var app: URL {
        home.appendingPathComponent("apps", isDirectory: true)
            .appendingPathComponent(bundleIdentifier, isDirectory: true)
    }
    var journal: URL { app.appendingPathComponent("journal.sqlite") }
    var promotions: URL { app.appendingPathComponent("promotions.json") }
    /// Older versions use the same file, so its name stays.
    var synchronizerLock: URL { app.appendingPathComponent("talker.lock") }
    var processes: URL { app.appendingPathComponent("processes", isDirectory: true) }
    var receipts: URL { app.appendingPathComponent("StoreKit", isDirectory: true) }

    /// The receipt's location; its name depends on the environment, as
    /// clients expect.
    func receipt(isSandbox: Bool) -> URL {
        receipts.appendingPathComponent(isSandbox ? "sandboxReceipt" : "receipt")
    }

    /// Creates missing folders, readable by their owner only.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func create() throws {
        do {
            for folder in [processes, receipts] {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        } catch {
            throw AgentError(
                .home,
                """
                The folder \(app.path) can't be made (\(error.localizedDescription)). Set STOREKIT_HOME to a folder \
                that this user may write.
                """)
        }
    }
}
