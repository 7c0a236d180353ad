// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import StoreAgent
import StoreCore
import UnixSignals

/// The daemon of a user's device.
@main
struct Storeagentd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storeagentd",
        abstract: "Goes on with the purchases and downloads of this user's apps while they don't run.",
        discussion: """
            It serves the apps of one home, which connect to the socket agent.sock in it. A service manager may open \
            the socket (LISTEN_FDS). SIGTERM ends it; apps then go on without it.
            """,
        version: StoreVersion.current)

    @Option(help: "The device's home. Default: STOREKIT_HOME, else $XDG_DATA_HOME/storekit.")
    var home: String?

    func run() async throws {
        OpenFiles.raiseLimit()
        let environment = ProcessInfo.processInfo.environment
        let home =
            self.home.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? AgentConfiguration.home(in: environment)
        var logger = Logger(label: "storeagentd") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .notice
        let daemon = AgentDaemon(
            home: home, clock: Self.clock, random: AgentRandom(SystemRandomNumberGenerator()),
            faults: CrashPoint.handler(environment), logger: logger)
        let service = DaemonService(daemon: daemon, home: home, environment: environment)
        do {
            let group = ServiceGroup(
                services: [service], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
            try await group.run()
        } catch let error as AgentError {
            FileHandle.standardError.write(Data("storeagentd: \(error.message)\n".utf8))
            throw ExitCode(1)
        }
    }

    private static let clock = AgentClock(
        now: { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) },
        sleep: { duration in try await Task.sleep(for: duration) })
}

/// Runs the daemon until a signal asks for its end.
private struct DaemonService: Service {
    let daemon: AgentDaemon
    let home: URL
    let environment: [String: String]

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await daemon.run(environment: environment) {
                print("storeagentd serves \(home.path)")
                fflush(nil)
            }
        }
    }
}
