// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("The apps of a daemon", .timeLimit(.hang))
struct DaemonAppsTests {
    private let device: Device
    private var folder: DaemonFolder { DaemonFolder(home: device.home) }
    private var door: SocketDoor { SocketDoor(folder: folder, clock: device.clock.clock) }
    private var program: DeviceDaemon { DeviceDaemon(home: device.home, clock: device.clock.clock) }
    private let rose = "com.example.rose"
    private let lily = "com.example.lily"

    init() throws {
        device = try Device()
    }

    private func app(_ bundle: String) -> DaemonApp {
        DaemonApp(AgentConfiguration(storeURL: nil, bundleIdentifier: bundle, home: device.home))
    }

    @Sendable private func refusal(of bundle: String) async -> DaemonRefusal? {
        if case .refused(let refusal) = await door.ask(app(bundle)) { refusal } else { nil }
    }

    @Sendable private func processes() async throws -> [String: Int] {
        let apps = try await door.status()?.apps ?? []
        return Dictionary(uniqueKeysWithValues: apps.map { ($0.bundleIdentifier, $0.processes) })
    }

    @Test("One app too many synchronizes alone, until another one is forgotten that doesn't run")
    func limit() async throws {
        try await device.daemon(appLimit: 1).running {
            guard case .accepted(let link) = await door.ask(app(rose)) else {
                Issue.record("The first app isn't accepted.")
                return
            }
            let refusal = await refusal(of: lily)
            #expect(refusal?.code == .apps && refusal?.message.contains("storectl device forget") == true)

            let running = await #expect(throws: DaemonRefusal.self) { try await program.forget(rose) }
            #expect(running?.code == .running)
            link.close()
            try await until { try await processes()[rose] == 0 }
            try await program.forget(rose)
            let unknown = await #expect(throws: DaemonRefusal.self) { try await program.forget(rose) }
            #expect(unknown?.code == .unknown)

            guard case .accepted(let other) = await door.ask(app(lily)) else {
                Issue.record("An app isn't accepted after another one was forgotten.")
                return
            }
            #expect(try await processes() == [lily: 1])
            other.close()
        }
        #expect(DaemonRegistration.loadAll(folder, PosixFiles()).map(\.app.bundleIdentifier) == [lily])
        #expect(PosixFiles().inode(of: AgentFolder(home: device.home, bundleIdentifier: rose).journal) != nil)
    }

    @Test("A process whose settings can't be used ends the service of the app, so that its other processes go on")
    func unusableSettings() async throws {
        let roots = device.home.appendingPathComponent("roots.pem")
        try await device.daemon().running {
            guard case .accepted(let link) = await door.ask(app(rose)) else {
                Issue.record("The first process isn't accepted.")
                return
            }
            try Data("no certificate".utf8).write(to: roots)
            let other = AgentConfiguration(
                storeURL: URL(string: "https://127.0.0.1:9"), bundleIdentifier: rose, home: device.home, tlsRoots: roots
            )
            guard case .refused(let refusal) = await door.ask(DaemonApp(other)) else {
                Issue.record("Roots without a certificate aren't refused.")
                return
            }
            #expect(refusal.code == .configuration)
            // The first process's connection ends: it synchronizes the app from then on.
            await link.follow { _ in }
            #expect(try await door.status()?.apps.first?.failure == refusal.message)

            // The app is known without an agent, and can be forgotten.
            try await until { try await processes()[rose] == 0 }
            try await program.forget(rose)
            #expect(try await door.status()?.apps.isEmpty == true)
        }
    }

    @Test("The stream of a store ends with the last app of the store")
    func streams() async throws {
        let daemon = device.daemon()
        let streams = daemon.daemon.streams
        try await daemon.running {
            for (bundle, place) in [(rose, "a"), (lily, "a"), ("com.example.iris", "b")] {
                let store = URL(string: "http://127.0.0.1:9/\(place)")
                let configuration = AgentConfiguration(storeURL: store, bundleIdentifier: bundle, home: device.home)
                guard case .accepted(let link) = await door.ask(DaemonApp(configuration)) else {
                    Issue.record("\(bundle) isn't accepted.")
                    return
                }
                link.close()
                try await until { try await processes()[bundle] == 0 }
            }
            #expect(streams.count == 2)
            try await program.forget(rose)
            #expect(streams.count == 2)
            try await program.forget(lily)
            try await until { streams.count == 1 }
            try await program.forget("com.example.iris")
            try await until { streams.count == 0 }
        }
    }

    @Test("A registration that can't be read or removed isn't forgotten")
    func notForgotten() async throws {
        let saved = DaemonRegistration(version: .current, app: app(rose))
        try saved.save(folder, PosixFiles())
        #expect(throws: AgentError(.home, "")) {
            try DaemonRegistration.remove(rose, folder, FaultyFiles(FaultyDisk(), keepsFiles: true))
        }
        #expect(DaemonRegistration.loadAll(folder, PosixFiles()) == [saved])

        // A link to itself can't be read, also by root.
        let other = folder.registration(of: lily)
        try PosixFiles().makeFolder(other.deletingLastPathComponent())
        try FileManager.default.createSymbolicLink(at: other, withDestinationURL: other)
        #expect(throws: AgentError(.home, "")) { try DaemonRegistration.remove(lily, folder, PosixFiles()) }
    }

    @Test("Which refusals end the service of an app")
    func ends() {
        func ends(_ code: DaemonRefusal.Code, _ isSynchronized: Bool = true, _ hasOtherJournal: Bool = false) -> Bool {
            DaemonRefusal(code: code, message: "").endsService(
                isSynchronized: isSynchronized, hasOtherJournal: hasOtherJournal)
        }
        #expect(ends(.home) && ends(.version, true, true))
        #expect(!ends(.version) && !ends(.configuration) && !ends(.apps))
        #expect(ends(.configuration, false) && ends(.apps, false))
    }

    @Test("An app is forgotten without a daemon too")
    func forgottenWithoutADaemon() async throws {
        try DaemonRegistration(version: .current, app: app(rose)).save(folder, PosixFiles())
        try await program.forget(rose)
        #expect(DaemonRegistration.loadAll(folder, PosixFiles()).isEmpty)
        await #expect(throws: AgentError(.configuration, "")) { try await program.forget("../rose") }
    }

    @Test("A daemon that starts synchronizes no more apps than it may, and its state names the others")
    func started() async throws {
        for bundle in [rose, lily] {
            try DaemonRegistration(version: .current, app: app(bundle)).save(folder, PosixFiles())
        }
        try await device.daemon(appLimit: 1).running {
            let apps = try await door.status()?.apps ?? []
            #expect(apps.map(\.bundleIdentifier) == [lily, rose] && apps.first?.failure == nil)
            #expect(apps.last?.failure?.contains("storectl device forget") == true)
        }
    }
}
