// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A server of another kind: sends its greeting to every client and closes
/// the connection.
final class Greeter: Sendable {
    private let listener: Int32

    init(path: String, greeting: String) throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard withSocketAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 8) == 0 else {
            throw POSIXError(.EADDRINUSE)
        }
        self.listener = listener
        Thread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 1024)
                _ = recv(client, &request, request.count, 0)
                _ = send(client, greeting, greeting.utf8.count, Int32(MSG_NOSIGNAL))
                close(client)
            }
        }.start()
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}

func withSocketAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
}
