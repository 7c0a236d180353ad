// SPDX-License-Identifier: Apache-2.0

@preconcurrency import Dispatch
import Foundation
import Synchronization

/// The daemon's socket.
final class DaemonListener: @unchecked Sendable {  // because a dispatch source may be cancelled on any thread
    private let source: any DispatchSourceRead
    /// The path of a socket that this process has made, until it is closed.
    private let path: Mutex<String?>

    /// Listens on a socket that the service manager has opened, or makes one.
    ///
    /// A socket that is there already is that of a daemon that has died: the
    /// caller holds the daemon's lock.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    init(
        _ folder: DaemonFolder, inherited: Int32?, connected: @escaping @Sendable (DaemonChannel) -> Void
    ) throws {
        let descriptor: Int32
        path = Mutex(inherited == nil ? folder.socket.path : nil)
        if let inherited {
            descriptor = inherited
        } else {
            unlink(folder.socket.path)
            descriptor = UnixSocket.listen(at: folder.socket)
            guard descriptor >= 0 else { throw Posix.failure("made", folder.socket.path, -descriptor) }
        }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "StoreAgent.daemon.listener"))
        source.setEventHandler {
            let accepted = UnixSocket.accept(descriptor)
            if accepted >= 0 { connected(DaemonChannel(accepted)) }
        }
        source.setCancelHandler { Posix.shut(descriptor) }
        source.activate()
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
