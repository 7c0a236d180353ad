// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("The daemon's socket", .timeLimit(.hang))
struct DaemonSocketTests {
    private let device: Device
    private var folder: DaemonFolder { DaemonFolder(home: device.home) }

    init() throws {
        device = try Device()
        try PosixFiles().makeFolder(device.home)
    }

    @Test("A program that connects and sends nothing is disconnected after ten seconds")
    func silentProgram() async throws {
        try await device.daemon().running {
            let silent = DaemonChannel(UnixSocket.connect(to: folder.socket))
            await device.clock.pauses.until { $0.contains(10_000) }
            device.clock.advance(seconds: 10)
            #expect(await silent.next() == nil)
        }
    }

    @Test("A socket of the service manager whose path was removed is refused")
    func removedSocket() throws {
        let own = folder.socket
        let good = UnixSocket.listen(at: own)
        #expect(UnixSocket.isListening(good, at: own))
        unlink(own.path)
        #expect(throws: AgentError(.configuration, "")) {
            _ = try DaemonListener(folder, inherited: good, .silent) { _ in }
        }
        Posix.shut(good)
    }
}
