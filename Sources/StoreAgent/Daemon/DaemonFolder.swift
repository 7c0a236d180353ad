// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The daemon's files in a device's home.
struct DaemonFolder: Sendable {
    let home: URL

    var socket: URL { home.appendingPathComponent("agent.sock") }
    /// The running daemon holds its lock.
    var lock: URL { home.appendingPathComponent("storeagentd.lock") }
    var apps: URL { home.appendingPathComponent("apps", isDirectory: true) }

    /// The file with which the daemon opens an app that doesn't run.
    func registration(of bundleIdentifier: String) -> URL {
        apps.appendingPathComponent(bundleIdentifier, isDirectory: true).appendingPathComponent("daemon.json")
    }
}
