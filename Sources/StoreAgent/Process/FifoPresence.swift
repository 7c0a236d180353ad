// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation

/// A process that is known to the others by a named pipe, which its end
/// closes.
final class FifoPresence: ProcessPresence {
    let identifier: String
    private let folder: URL
    private let fifo: Fifo

    /// Makes the process known to the others; the handler is called on a
    /// queue of its own after one of them woke it.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    init(_ identifier: String, in folder: URL, handler: @escaping @Sendable () -> Void) throws {
        self.identifier = identifier
        self.folder = folder
        fifo = try Fifo(
            at: folder.appendingPathComponent(identifier), queue: DispatchQueue(label: "StoreAgent.wake"),
            handler: handler)
    }

    func wakeOthers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name != identifier && !name.hasPrefix(".") {
            _ = Fifo.wake(folder.appendingPathComponent(name))
        }
    }

    func isAlive(_ process: String) -> Bool {
        process == identifier || Fifo.wake(folder.appendingPathComponent(process), writing: false) == .alive
    }

    func leave() {
        fifo.close()
    }
}
