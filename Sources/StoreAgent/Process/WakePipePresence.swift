// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Represents a process by a named pipe in a folder that all processes of the
/// app share.
final class WakePipePresence: ProcessPresence {
    let identifier: String
    private let folder: URL
    private let pipe: WakePipe

    /// Creates the pipe. The handler is called on a queue of its own after
    /// another process has woken this one.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    init(_ identifier: String, in folder: URL, handler: @escaping @Sendable () -> Void) throws {
        self.identifier = identifier
        self.folder = folder
        pipe = try WakePipe(
            at: folder.appendingPathComponent(identifier), queue: DispatchQueue(label: "StoreAgent.wake"),
            handler: handler)
    }

    func wakeOthers() {
        Self.wakeAll(in: folder, but: identifier)
    }

    /// Wakes all processes of an app but one.
    static func wakeAll(in folder: URL, but identifier: String? = nil) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name != identifier && !name.hasPrefix(".") {
            _ = WakePipe.wake(folder.appendingPathComponent(name))
        }
    }

    func isAlive(_ process: String) -> Bool {
        process == identifier || WakePipe.wake(folder.appendingPathComponent(process), writing: false) == .alive
    }

    func leave() {
        pipe.close()
    }
}
