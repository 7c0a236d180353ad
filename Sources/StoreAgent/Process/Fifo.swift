// SPDX-License-Identifier: Apache-2.0

@preconcurrency internal import Dispatch
internal import Foundation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A named pipe that one process reads: a byte in it means "look again", and
/// as long as somebody reads, its process lives.
///
/// The kernel closes a dead process's descriptors, so that no process is
/// ever taken for a living one.
final class Fifo: @unchecked Sendable {  // because a dispatch source may be cancelled on any thread
    private let path: String
    private let source: any DispatchSourceRead

    /// Makes the pipe at a path and calls the handler after each wake-up, on
    /// the queue.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    init(at file: URL, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) throws {
        path = file.path
        // Whoever finds a pipe without a reader removes it, so it gets its
        // name when it is read already.
        let folder = file.deletingLastPathComponent()
        let hidden = folder.appendingPathComponent("." + file.lastPathComponent).path
        guard mkfifo(hidden, 0o600) == 0 else { throw Posix.failure("made", hidden) }
        let descriptor: Int32
        do {
            // A writer too: without one, a reader sees an end of file for ever.
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

    /// Ends the life that the pipe stands for. Closing twice is allowed.
    func close() {
        unlink(path)
        source.cancel()
    }

    /// What came of waking a process.
    enum Answer {
        case alive, dead
    }

    /// Finds out whether a pipe's process lives, and writes to it if so.
    static func wake(_ file: URL, writing: Bool = true) -> Answer {
        let descriptor = Posix.tryToOpen(file.path, O_WRONLY | O_NONBLOCK)
        guard descriptor >= 0 else {
            // ENXIO: nobody reads. ENOENT: somebody else has cleaned up.
            guard descriptor == -ENXIO || descriptor == -ENOENT else { return .alive }
            unlink(file.path)
            return .dead
        }
        defer { Posix.shut(descriptor) }
        guard writing else { return .alive }
        // A full pipe holds enough wake-ups already. One whose reader has
        // died since it was opened breaks.
        guard Posix.poke(descriptor) == EPIPE else { return .alive }
        unlink(file.path)
        return .dead
    }
}
