// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("The daemon's socket", .timeLimit(.minutes(5)))
struct DaemonSocketTests {
    private let device: Device
    private var folder: DaemonFolder { DaemonFolder(home: device.home) }
    private var door: SocketDoor { SocketDoor(folder: folder, clock: device.clock.clock) }

    init() throws {
        device = try Device()
        try PosixFiles().makeFolder(device.home)
    }

    /// A program in the daemon's place.
    private func listener(_ connected: @escaping @Sendable (DaemonChannel) -> Void) throws -> DaemonListener {
        try DaemonListener(folder, inherited: nil, logger: .silent, connected: connected)
    }

    private var app: DaemonApp { DaemonApp(device.configuration()) }

    @Test("A program that connects and sends nothing is disconnected after ten seconds")
    func silentProgram() async throws {
        try await device.daemon().running {
            let silent = DaemonChannel(UnixSocket.connect(to: folder.socket))
            await device.clock.pauses.until { $0.contains(10_000) }
            device.clock.advance(seconds: 10)
            #expect(await silent.next() == nil)
        }
    }

    @Test("A daemon that ends before it has answered is one that doesn't run")
    func endedDaemon() async throws {
        let listener = try listener { $0.close() }
        defer { listener.close() }
        guard case .absent = await door.ask(app) else {
            Issue.record("A daemon that has ended has refused the app.")
            return
        }
        #expect(try await door.status() == nil)
    }

    @Test("A daemon that doesn't answer for ten seconds is left alone, with a message about that")
    func silentDaemon() async throws {
        let open = Watched<[DaemonChannel]>([])
        let listener = try listener { channel in open.change { $0.append(channel) } }
        defer { listener.close() }
        async let asked = door.ask(app)
        await device.clock.pauses.until { $0.contains(10_000) }
        device.clock.advance(seconds: 10)
        guard case .refused(let refusal) = await asked else {
            Issue.record("A daemon without an answer isn't a refusal.")
            return
        }
        #expect(refusal.code == .answer && refusal.message.contains("hasn't answered for 10 seconds"))
    }

    @Test("A daemon that is started by hand leaves the service manager's socket alone")
    func socketOfTheServiceManager() async throws {
        let manager = try listener { _ in }
        defer { manager.close() }
        await #expect(throws: AgentError(.socket, "")) { try await device.daemon().daemon.run(environment: [:]) }
        #expect(UnixSocket.isServed(folder.socket))
    }

    @Test("A socket of the service manager that no app reaches is refused")
    func inheritedSockets() throws {
        let (other, own) = (folder.home.appendingPathComponent("other.sock"), folder.socket)
        let wrong = UnixSocket.listen(at: other)
        let good = UnixSocket.listen(at: own)
        let file = Posix.tryToOpen(device.trust.path, O_RDONLY)
        for descriptor in [wrong, file] {
            #expect(throws: AgentError(.socket, "")) {
                _ = try DaemonListener(folder, inherited: descriptor, logger: .silent) { _ in }
            }
            Posix.shut(descriptor)
        }
        #expect(UnixSocket.isListening(good, at: own))
        unlink(own.path)
        #expect(throws: AgentError(.socket, "")) {
            _ = try DaemonListener(folder, inherited: good, logger: .silent) { _ in }
        }
        Posix.shut(good)
    }
}
