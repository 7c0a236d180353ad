// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import Logging
package import StoreCore

/// The daemon of a user's device: it synchronizes the apps that have asked
/// for it, whether or not they run.
package struct AgentDaemon: Sendable {
    let folder: DaemonFolder
    let clock: AgentClock
    let random: AgentRandom
    let handler: FaultHandler
    let logger: Logger
    /// The largest number of apps that the daemon synchronizes.
    let appLimit: Int
    let streams: SharedEventStreams
    let files: any FileSystem = PosixFiles()

    /// Makes the daemon of the device with a home. The default of `appLimit`
    /// is the number of apps that a device has at a store.
    package init(
        home: URL, clock: AgentClock, random: AgentRandom, faults: @escaping FaultHandler = { _ in }, logger: Logger,
        appLimit: Int = AgentDaemon.appLimit
    ) {
        folder = DaemonFolder(home: home)
        self.clock = clock
        self.random = random
        handler = faults
        self.logger = logger
        self.appLimit = appLimit
        streams = SharedEventStreams(clock: clock)
    }

    var faults: FaultPoints { FaultPoints(handler: handler) }

    /// The time in which a program that has connected must say its version.
    private static let patience = Duration.seconds(10)

    /// The largest number of apps that a daemon synchronizes by default.
    package static let appLimit = 64
    /// The largest number of connections. One more is refused: the app
    /// synchronizes without the daemon.
    private static let connectionLimit = 256

    private static let busy = DaemonRefusal(
        code: .busy,
        message: """
            storeagentd has \(connectionLimit) connections, so that this app synchronizes its purchases without it, and \
            asks again in a minute. End processes of apps that aren't used.
            """)

    private enum Event: Sendable {
        case connected(DaemonChannel)
        case ended
        case greeted(DaemonChannel, DaemonLine)
        case shown(DaemonLine.Shown, bundle: String)
        case left(DaemonChannel, bundle: String)
        case failed(DaemonAgent, any Error)
    }

    /// Runs until the task is cancelled.
    ///
    /// `isReady` is called when apps can connect. With a socket that the
    /// service manager has opened, the daemon makes none.
    ///
    /// - Throws: ``AgentError`` with the code `home`, `configuration` for a
    ///   socket of the service manager that isn't the home's, or
    ///   `secondDaemon` when another daemon or the service manager serves the
    ///   home.
    package func run(environment: [String: String], isReady: @Sendable () -> Void = {}) async throws {
        try files.makeFolder(folder.home)
        let inherited = UnixSocket.inherited(environment)
        // Before the lock, which a daemon that this connection starts needs.
        let isServed = inherited == nil && UnixSocket.isServed(folder.socket)
        guard let lock = try FileLock.acquireIfFree(folder.lock) else {
            throw AgentError(
                .secondDaemon,
                """
                Another storeagentd serves \(folder.home.path). One is enough: end it first, or set STOREKIT_HOME to \
                another home.
                """)
        }
        defer { lock.release() }
        guard !isServed else {
            throw AgentError(
                .secondDaemon,
                """
                The service manager listens on \(folder.socket.path), and starts storeagentd when an app connects. End \
                its socket first (systemctl --user stop storeagentd.socket), or set STOREKIT_HOME to another home.
                """)
        }
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let listener = try DaemonListener(folder, inherited: inherited, logger) {
            continuation.yield(.connected($0))
        }
        defer { listener.close() }
        await serve(events, continuation, isReady)
    }

    private func serve(
        _ events: AsyncStream<Event>, _ continuation: AsyncStream<Event>.Continuation, _ isReady: @Sendable () -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            var apps: [String: Served] = [:]
            group.addTask { [streams] in await streams.run() }
            for saved in DaemonRegistration.loadAll(folder, files) {
                apps[saved.app.bundleIdentifier] = open(saved, beside: apps)
            }
            for agent in apps.values.compactMap(\.agent) { group.addTask { await run(agent, continuation) } }
            wakeApps()
            isReady()
            var connections = 0
            for await event in events {
                switch event {
                case .connected(let channel):
                    guard connections < Self.connectionLimit else {
                        channel.send(DaemonLine(refusal: Self.busy))
                        channel.close()
                        continue
                    }
                    connections += 1
                    group.addTask {
                        await listen(to: channel, continuation)
                        continuation.yield(.ended)
                    }
                case .ended: connections -= 1
                case .greeted(let channel, let greeting):
                    if greeting.asksForStatus == true {
                        channel.send(DaemonLine(status: status(apps)))
                        continue
                    }
                    if greeting.forgets == true {
                        await forget(greeting, channel, &apps)
                        continue
                    }
                    guard let started = await answer(greeting, channel, &apps) else { continue }
                    group.addTask { await run(started, continuation) }
                case .shown(let shown, let bundle):
                    apps[bundle]?.sheets.record(shown)
                case .left(let channel, let bundle):
                    apps[bundle]?.sheets.leave(channel)
                case .failed(let agent, let error): letGo(agent, error, &apps)
                }
            }
            apps.values.forEach { $0.sheets.closeAll() }
            group.cancelAll()
        }
    }

    private func run(_ agent: DaemonAgent, _ events: AsyncStream<Event>.Continuation) async {
        do {
            try await agent.run()
        } catch {
            events.yield(.failed(agent, error))
        }
    }

    /// Wakes the processes of all apps, which ask this daemon then.
    private func wakeApps() {
        for name in files.names(in: folder.apps) {
            let app = AgentFolder(home: folder.home, bundleIdentifier: name)
            WakePipePresence.wakeAll(in: app.processes)
        }
    }

    /// Reads the lines of a connection until it ends.
    private func listen(to channel: DaemonChannel, _ events: AsyncStream<Event>.Continuation) async {
        guard let greeting = await SocketDoor.first(of: channel, within: Self.patience, clock) else {
            return channel.close()
        }
        guard channel.isOfThisUser else {
            let message = "This daemon serves another user. Set STOREKIT_HOME to a folder of this user."
            channel.send(DaemonLine(refusal: DaemonRefusal(code: .user, message: message)))
            return channel.close()
        }
        events.yield(.greeted(channel, greeting))
        while let line = await channel.next() {
            if let bundle = greeting.bundle, let shown = line.shown { events.yield(.shown(shown, bundle: bundle)) }
        }
        channel.close()
        if let bundle = greeting.bundle { events.yield(.left(channel, bundle: bundle)) }
    }
}
