// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite(.timeLimit(.hang))
struct DaemonTests {
    private let device: Device
    private var folder: DaemonFolder { DaemonFolder(home: device.home) }

    init() throws {
        device = try Device()
    }

    @Test("An app's settings reach the daemon's agent, with absolute paths")
    func settings() throws {
        let configuration = AgentConfiguration(
            storeURL: URL(string: "https://store.example:8443/shop"), bundleIdentifier: Device.bundle,
            applicationVersion: "2.5", home: device.home, trust: URL(fileURLWithPath: "root.pem"),
            tlsRoots: URL(fileURLWithPath: "/tls.pem"), sheet: .script(path: "press"), languages: ["de_DE", "fr"],
            caches: URL(fileURLWithPath: "/caches", isDirectory: true))
        let read = try DaemonApp(configuration).configuration(home: device.home)

        let here = FileManager.default.currentDirectoryPath
        #expect(read.storeURL == configuration.storeURL)
        #expect(read.bundleIdentifier == Device.bundle && read.applicationVersion == "2.5")
        #expect(read.trust?.path == here + "/root.pem" && read.tlsRoots?.path == "/tls.pem")
        #expect(read.sheet == .script(path: here + "/press"))
        #expect(read.languages == ["de_DE", "fr"] && read.caches.path == "/caches")
        #expect(read.home == device.home)
    }

    @Test(
        "A browser and a terminal are kept as the way to show sheets",
        arguments: [SheetPresentation.browser(command: nil), .browser(command: "lynx %s"), .terminal])
    func sheets(sheet: SheetPresentation) throws {
        var configuration = device.configuration()
        configuration.sheet = sheet
        #expect(try DaemonApp(configuration).configuration(home: device.home).sheet == sheet)
    }

    @Test("An app that was saved is found again, and a name that isn't the app's isn't followed")
    func registrations() throws {
        let saved = DaemonRegistration(version: .current, app: DaemonApp(device.configuration()))
        try saved.save(folder, PosixFiles())
        #expect(DaemonRegistration.loadAll(folder, PosixFiles()) == [saved])

        let other = folder.registration(of: "com.example.other")
        try PosixFiles().makeFolder(other.deletingLastPathComponent())
        try FileManager.default.copyItem(at: folder.registration(of: Device.bundle), to: other)
        #expect(DaemonRegistration.loadAll(folder, PosixFiles()) == [saved])
    }

    @Test("A release with the same messages and the same journal is compatible, every other one isn't")
    func versions() {
        var other = DaemonVersion.current
        other.release = "99.0"
        #expect(other.isCompatible(with: .current))
        other.journal += 1
        #expect(!other.isCompatible(with: .current))
        other = .current
        other.messages += 1
        #expect(!other.isCompatible(with: .current))
    }

    @Test("A connection ends when more lines wait than are read")
    func flood() async throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (sender, receiver) = (DaemonChannel(ends[0]), DaemonChannel(ends[1]))
        for number in 0...DaemonChannel.waitingLimit {
            sender.send(DaemonLine(sheet: DaemonLine.Sheet(number: number, address: "")))
        }
        // The receiver has closed its end then.
        #expect(await sender.next() == nil)
        var read = 0
        while await receiver.next() != nil { read += 1 }
        #expect(read == DaemonChannel.waitingLimit)
    }

    @Test("A sheet that this process has shown isn't shown again for the daemon, and the other way round")
    func sheetsAreShownOnce() {
        let signals = PendingSignals()
        let sheet = StoreSynchronizer.Sheet(address: "https://store.example/sheet/1", owner: .entry("1"))
        #expect(signals.mayShow(sheet))
        #expect(!signals.mayShow(forDaemon: sheet.address))

        let second = StoreSynchronizer.Sheet(address: "https://store.example/sheet/2", owner: .entry("2"))
        #expect(signals.mayShow(forDaemon: second.address))
        #expect(!signals.mayShow(forDaemon: second.address))
        #expect(!signals.mayShow(second))
    }

    private func daemon() -> AgentDaemon {
        AgentDaemon(
            home: device.home, clock: device.clock.clock, random: AgentRandom(SystemRandomNumberGenerator()),
            logger: .silent)
    }

    @Test("A daemon that was started by hand leaves the service manager's socket in its place")
    func socketOfTheServiceManager() async throws {
        try PosixFiles().makeFolder(device.home)
        let listener = UnixSocket.listen(at: folder.socket)
        try #require(listener >= 0)
        defer { Posix.shut(listener) }
        let failure = await #expect(throws: AgentError.self) { try await daemon().run(environment: [:]) }
        #expect(failure?.code == .secondDaemon && failure?.message.contains("storeagentd.socket") == true)
        let reached = UnixSocket.connect(to: folder.socket)
        #expect(reached >= 0)
        if reached >= 0 { Posix.shut(reached) }
    }

    @Test("A socket of the service manager that isn't the home's, and a file that is no socket, are refused")
    func otherSocket() throws {
        try PosixFiles().makeFolder(device.home)
        let other = UnixSocket.listen(at: device.folder.appendingPathComponent("other.sock"))
        try #require(other >= 0)
        defer { Posix.shut(other) }
        let file = try Posix.unnamedFile()
        for (descriptor, name) in [(other, "other.sock"), (file.fileDescriptor, "no socket")] {
            let failure = #expect(throws: AgentError.self) {
                _ = try DaemonListener(folder, inherited: descriptor, .silent) { _ in }
            }
            #expect(failure?.code == .configuration && failure?.message.contains(name) == true)
        }
    }

    /// The answer of a door to a program at the socket that says something,
    /// and closes the connection or not.
    private func answer(_ said: String, closes: Bool, _ clock: AgentClock) async throws -> DaemonAnswer {
        try PosixFiles().makeFolder(device.home)
        let listener = UnixSocket.listen(at: folder.socket)
        try #require(listener >= 0)
        defer {
            Posix.shut(listener)
            unlink(folder.socket.path)
        }
        async let answer = SocketDoor(folder: folder, clock: clock).ask(DaemonApp(device.configuration()))
        let accepted = UnixSocket.accept(listener)
        try #require(accepted >= 0)
        #expect(UnixSocket.send(Data(said.utf8), to: accepted) == 0)
        if closes {
            // The bytes that the app has sent are read first: a connection that is closed with unread bytes is reset.
            try await until { UnixSocket.receive(from: accepted) != nil }
            Posix.shut(accepted)
        }
        let result = await answer
        if !closes { Posix.shut(accepted) }
        return result
    }

    @Test("A daemon that dies before it answers is absent, and other programs and slow daemons are refused in words")
    func answers() async throws {
        let still = ManualClock().clock
        let hasty = AgentClock(now: { 0 }, sleep: { _ in })
        guard case .absent = try await answer("", closes: true, still) else {
            Issue.record("A daemon that has died isn't absent")
            return
        }
        guard case .refused(let garbled) = try await answer("HTTP/1.1 400 Bad Request", closes: true, still) else {
            Issue.record("Another program isn't refused")
            return
        }
        #expect(garbled.code == .answer && garbled.message.contains("doesn't answer as storeagentd does"))
        guard case .refused(let slow) = try await answer("", closes: false, hasty) else {
            Issue.record("A slow daemon isn't refused")
            return
        }
        #expect(slow.code == .answer && slow.message.contains("within 10 seconds"))
    }

    @Test("Without a daemon there is no status, and with one it is that of this process")
    func status() async throws {
        let door = SocketDoor(folder: folder, clock: device.clock.clock)
        #expect(try await door.status() == nil)
        let daemon = daemon()
        let isReady = Watched(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await daemon.run(environment: [:]) { isReady.change { $0 = true } } }
            await isReady.until { $0 }
            let status = try await door.status()
            #expect(status == DaemonStatus(version: .current, process: getpid(), apps: []))
            await #expect(throws: AgentError(.secondDaemon, "")) { try await daemon.run(environment: [:]) }
            group.cancelAll()
        }
        #expect(try await door.status() == nil)
    }
}
