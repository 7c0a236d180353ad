// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation

/// This process among the processes of its app: its name, its life, and how
/// the others are woken.
final class ProcessPresence: Sendable {
    /// Random, never used again.
    let identifier: String
    private let folder: URL
    private let fifo: Fifo

    /// Makes the process known to the others; the handler is called on the
    /// queue after one of them woke it.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    init(
        _ identifier: String, in folder: URL, queue: DispatchQueue, handler: @escaping @Sendable () -> Void
    ) throws {
        self.identifier = identifier
        self.folder = folder
        fifo = try Fifo(at: folder.appendingPathComponent(identifier), queue: queue, handler: handler)
    }

    /// Says that something has changed in the journal.
    func wakeOthers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name != identifier && !name.hasPrefix(".") {
            _ = Fifo.wake(folder.appendingPathComponent(name))
        }
    }

    /// Whether a process can still do what it has begun.
    func isAlive(_ process: String) -> Bool {
        process == identifier || Fifo.wake(folder.appendingPathComponent(process), writing: false) == .alive
    }

    /// Leaves: what this process held is free from now on.
    func leave() {
        fifo.close()
    }
}
