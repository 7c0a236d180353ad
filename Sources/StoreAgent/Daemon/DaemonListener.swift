// SPDX-License-Identifier: Apache-2.0

@preconcurrency import Dispatch
import Foundation
import Logging
import Synchronization

/// The daemon's socket.
final class DaemonListener: @unchecked Sendable {  // because a dispatch source may be cancelled on any thread
    private let source: any DispatchSourceRead
    /// The path of a socket that this process has made, until it is closed.
    private let path: Mutex<String?>

    /// How long no connection is accepted after the system had no descriptor
    /// for one.
    private static let pause = DispatchTimeInterval.seconds(1)

    /// Listens on a socket that the service manager has opened, or makes one.
    ///
    /// The caller holds the daemon's lock: a socket that is there already and
    /// that nothing listens on is that of a daemon that has died.
    ///
    /// - Throws: ``AgentError`` with the codes `home`, `configuration` for an
    ///   inherited socket that isn't the home's, and `secondDaemon` when the
    ///   service manager listens on the home's socket.
    init(
        _ folder: DaemonFolder, inherited: Int32?, _ logger: Logger,
        connected: @escaping @Sendable (DaemonChannel) -> Void
    ) throws {
        let descriptor = try inherited.map { try Self.check($0, folder) } ?? Self.make(folder)
        path = Mutex(inherited == nil ? folder.socket.path : nil)
        let queue = DispatchQueue(label: "StoreAgent.daemon.listener")
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        self.source = source
        source.setEventHandler {
            let accepted = UnixSocket.accept(descriptor)
            if accepted >= 0 { return connected(DaemonChannel(accepted)) }
            guard accepted == -EMFILE || accepted == -ENFILE else { return }
            // The connection waits, and the source would call at every moment.
            logger.error("No app can connect: this process has too many open files. Raise LimitNOFILE (ulimit -n).")
            source.suspend()
            queue.asyncAfter(deadline: .now() + Self.pause) { source.resume() }
        }
        source.setCancelHandler { Posix.shut(descriptor) }
        source.activate()
    }

    private static func make(_ folder: DaemonFolder) throws -> Int32 {
        let other = UnixSocket.connect(to: folder.socket)
        guard other < 0 else {
            Posix.shut(other)
            throw AgentError(
                .secondDaemon,
                """
                The service manager listens on \(folder.socket.path), and starts storeagentd when an app connects. End \
                its socket first (systemctl --user stop storeagentd.socket), or set STOREKIT_HOME to another home.
                """)
        }
        unlink(folder.socket.path)
        let descriptor = UnixSocket.listen(at: folder.socket)
        guard descriptor >= 0 else { throw Posix.failure("made", folder.socket.path, -descriptor) }
        return descriptor
    }

    /// Checks that apps reach an inherited socket: it has the home's path.
    private static func check(_ descriptor: Int32, _ folder: DaemonFolder) throws -> Int32 {
        let path = UnixSocket.path(of: descriptor)
        if let path, let bound = Posix.inode(path), bound == Posix.inode(folder.socket.path) { return descriptor }
        throw AgentError(
            .configuration,
            """
            The service manager has opened \(path.map { PrintableText.of($0) } ?? "no socket"), and apps connect to \
            \(folder.socket.path). Set ListenStream and STOREKIT_HOME of the units to the same home.
            """)
    }

    deinit {
        source.cancel()
    }

    /// Stops listening, and removes the socket if this process has made it.
    /// The caller holds the daemon's lock, so that the socket isn't another
    /// daemon's. Closing twice is allowed.
    func close() {
        path.withLock { path in
            if let path { unlink(path) }
            path = nil
        }
        source.cancel()
    }
}
