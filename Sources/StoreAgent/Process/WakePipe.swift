// SPDX-License-Identifier: Apache-2.0

@preconcurrency import Dispatch
import Foundation

/// A named pipe that one process reads. A byte in it is a wake-up, and a
/// reader shows that its process lives.
///
/// The kernel closes the descriptors of a process that ends, so a pipe
/// without a reader belongs to a dead process.
final class WakePipe: @unchecked Sendable {  // because a dispatch source may be cancelled on any thread
    private let path: String
    private let source: any DispatchSourceRead

    /// Makes the pipe at a path and calls the handler on the queue after each
    /// wake-up.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    init(at file: URL, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) throws {
        path = file.path
        // Other processes remove a pipe without a reader, so the pipe is
        // opened before it is renamed to its path.
        let folder = file.deletingLastPathComponent()
        let hidden = folder.appendingPathComponent("." + file.lastPathComponent).path
        guard mkfifo(hidden, 0o600) == 0 else { throw Posix.failure("made", hidden) }
        let descriptor: Int32
        do {
            // Opened for writing too: without a writer, the reader would
            // permanently see the end of the file.
            descriptor = try Posix.descriptor(of: hidden, O_RDWR | O_NONBLOCK)
            guard rename(hidden, path) == 0 else {
                Posix.shut(descriptor)
                throw Posix.failure("renamed", hidden)
            }
        } catch {
            unlink(hidden)
            throw error
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &bytes, bytes.count) > 0 {}
            handler()
        }
        source.setCancelHandler { Posix.shut(descriptor) }
        self.source = source
        source.activate()
    }

    deinit {
        close()
    }

    /// Removes the pipe, so that its process counts as dead. Closing twice is
    /// allowed.
    func close() {
        unlink(path)
        source.cancel()
    }

    /// The result of waking a process.
    enum WakeResult {
        case alive, dead
    }

    /// Checks whether a pipe's process lives, and writes a wake-up to it if
    /// `writing` is set.
    static func wake(_ file: URL, writing: Bool = true) -> WakeResult {
        let descriptor = Posix.tryToOpen(file.path, O_WRONLY | O_NONBLOCK)
        guard descriptor >= 0 else {
            // ENXIO: there is no reader. ENOENT: another process has removed
            // the pipe.
            guard descriptor == -ENXIO || descriptor == -ENOENT else { return .alive }
            unlink(file.path)
            return .dead
        }
        defer { Posix.shut(descriptor) }
        guard writing else { return .alive }
        // A full pipe has enough wake-ups already. EPIPE means that the
        // reader has died since the pipe was opened.
        guard Posix.poke(descriptor) == EPIPE else { return .alive }
        unlink(file.path)
        return .dead
    }
}
