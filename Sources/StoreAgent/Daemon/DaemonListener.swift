// SPDX-License-Identifier: Apache-2.0

@preconcurrency import Dispatch
import Foundation
import Logging

/// The daemon's socket.
final class DaemonListener: @unchecked Sendable {  // because mutable state is accessed on `queue` only
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "StoreAgent.daemon.listener")
    private let source: any DispatchSourceRead
    private let connected: @Sendable (DaemonChannel) -> Void
    private let logger: Logger
    /// The path of a socket that this process has made, until it is closed.
    private var path: String?
    private var isPaused = false
    /// Whether a shortage was logged since the last connection.
    private var isShort = false

    /// Listens on a socket that the service manager has opened, or makes one.
    ///
    /// A socket that is there already is that of a daemon that has died: the
    /// caller holds the daemon's lock, and no program accepts connections.
    ///
    /// - Throws: ``AgentError`` with the codes `home`, and `configuration` for
    ///   an inherited socket that isn't the home's.
    init(
        _ folder: DaemonFolder, inherited: Int32?, _ logger: Logger,
        connected: @escaping @Sendable (DaemonChannel) -> Void
    ) throws {
        self.logger = logger
        self.connected = connected
        if let inherited {
            try Self.check(inherited, folder)
            descriptor = inherited
        } else {
            path = folder.socket.path
            unlink(folder.socket.path)
            descriptor = UnixSocket.listen(at: folder.socket)
            guard descriptor >= 0 else { throw Posix.failure("made", folder.socket.path, -descriptor) }
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.accept() }
        source.setCancelHandler { [descriptor] in Posix.shut(descriptor) }
        source.activate()
    }

    deinit {
        source.cancel()
        // A source that is paused may not be deallocated.
        if isPaused { source.resume() }
    }

    /// Refuses a socket that no app would reach: one of another home, or one
    /// whose path was removed.
    private static func check(_ descriptor: Int32, _ folder: DaemonFolder) throws {
        guard !UnixSocket.isListening(descriptor, at: folder.socket) else { return }
        let path = UnixSocket.path(of: descriptor).map { PrintableText.of($0) } ?? "no socket"
        throw AgentError(
            .configuration,
            """
            The service manager has opened \(path), and apps connect to \(folder.socket.path). Set ListenStream and \
            STOREKIT_HOME of the units to the same home, and then: systemctl --user restart storeagentd.socket
            """)
    }

    private func accept() {
        let accepted = UnixSocket.accept(descriptor)
        switch accepted {
        case 0...:
            isShort = false
            connected(DaemonChannel(accepted))
        case -EMFILE, -ENFILE, -ENOBUFS, -ENOMEM: pause(after: -accepted)
        default: return  // The program that has connected is gone.
        }
    }

    /// Accepts no connection for a second. They wait meanwhile, and the source
    /// would call its handler without a pause.
    private func pause(after number: Int32) {
        if !isShort {
            logger.error(
                """
                No connection can be accepted (\(String(cString: strerror(number)))). Apps that connect wait. Raise \
                the limit of open files: LimitNOFILE of storeagentd.service, or ulimit -n.
                """)
        }
        isShort = true
        isPaused = true
        source.suspend()
        queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.resume() }
    }

    private func resume() {
        guard isPaused else { return }
        isPaused = false
        source.resume()
    }

    /// Stops listening, and removes the socket if this process has made it.
    /// The caller holds the daemon's lock, so that the socket isn't another
    /// daemon's. Closing twice is allowed.
    func close() {
        queue.sync {
            if let path { unlink(path) }
            path = nil
            source.cancel()
            resume()
        }
    }
}
