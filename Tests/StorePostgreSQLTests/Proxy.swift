// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A proxy between a client and the server's socket, which cuts the
/// connection at a COMMIT.
final class Proxy: Sendable {
    /// The point at which the connection of the next COMMIT is cut.
    enum Cut {
        /// The server doesn't receive the COMMIT.
        case before
        /// The server commits, and the client doesn't receive the answer.
        case after
    }

    private let server: String
    private let folder: String
    private let state = Mutex(State())

    private struct State {
        var listener: Int32 = -1
        var cut: Cut?
        var cuts = 0
        var version: (told: Data, instead: Data)?
    }

    /// The number of connections that were cut.
    var cuts: Int { state.withLock { $0.cuts } }

    /// Makes a proxy for the server whose URL `scripts/postgres` printed.
    ///
    /// - Throws: the file system's error when the folder can't be made.
    init(folder: String, to url: String) throws {
        self.folder = folder
        let host = url.split(separator: "@")[1].split(separator: "/")[0]
        server = (host.removingPercentEncoding ?? "") + "/.s.PGSQL.5432"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// The URL of the same database by way of the proxy.
    func url(for url: String) -> String {
        let host = folder.replacing("/", with: "%2F")
        return "postgres://store@\(host)/\(url.split(separator: "/").last ?? "")"
    }

    /// Starts to accept connections.
    func start() throws {
        let path = folder + "/.s.PGSQL.5432"
        unlink(path)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let bound = withSocketAddress(path) { bind(listener, $0, $1) }
        guard bound == 0, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
        state.withLock { $0.listener = listener }
        Thread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                guard withSocketAddress(server, { connect(upstream, $0, $1) }) == 0 else {
                    close(client)
                    close(upstream)
                    continue
                }
                join(client, upstream)
            }
        }.start()
    }

    /// Stops accepting connections, as a server that is down.
    func stop() {
        let listener = state.withLock { state in
            defer { state.listener = -1 }
            return state.listener
        }
        unlink(folder + "/.s.PGSQL.5432")
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Cuts the connection of the next COMMIT.
    func cutNextCommit(_ cut: Cut) { state.withLock { $0.cut = cut } }

    /// Replaces the server's version in its answers by another one of the
    /// same length.
    func tell(version: String, insteadOf real: String) {
        let key = "server_version\u{0}"
        state.withLock { $0.version = (Data((key + real).utf8), Data((key + version).utf8)) }
    }

    private func disguise(_ bytes: Data) -> Data {
        guard let version = state.withLock({ $0.version }), let place = bytes.firstRange(of: version.told) else {
            return bytes
        }
        return bytes.replacingSubrange(place, with: version.instead)
    }

    private func join(_ client: Int32, _ upstream: Int32) {
        let isCut = Flag()
        Thread { [self] in
            copy(from: client, to: upstream) { bytes in
                guard bytes.firstRange(of: Data("COMMIT".utf8)) != nil,
                    let cut = state.withLock({ state in
                        defer { state.cut = nil }
                        return state.cut
                    })
                else { return bytes }
                state.withLock { $0.cuts += 1 }
                isCut.set()
                return cut == .after ? bytes : nil
            }
        }.start()
        Thread { [self] in
            copy(from: upstream, to: client) { [self] in isCut.isSet ? nil : disguise($0) }
        }.start()
    }

    /// Copies bytes until the source ends or `passing` returns `nil`.
    private func copy(from source: Int32, to target: Int32, _ passing: (Data) -> Data?) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        copying: while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0, let bytes = passing(Data(buffer[..<count])) else { break }
            var sent = 0
            while sent < bytes.count {
                let written = bytes[sent...].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { break copying }
                sent += written
            }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
    }
}

extension Data {
    fileprivate func replacingSubrange(_ range: Range<Index>, with other: Data) -> Data {
        var copy = self
        copy.replaceSubrange(range, with: other)
        return copy
    }
}

private final class Flag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .sequentiallyConsistent) }

    func set() { flag.store(true, ordering: .sequentiallyConsistent) }
}
