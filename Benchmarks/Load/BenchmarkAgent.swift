// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAgent

/// Agents of apps that leave the synchronization to a daemon, as StoreKit's do.
enum BenchmarkAgent {
    static func open(_ app: String, home: URL, port: Int, trust: URL) throws -> Agent {
        guard let address = URL(string: "http://127.0.0.1:\(port)") else {
            throw BenchmarkFailure("\(port) is no port.")
        }
        let configuration = AgentConfiguration(storeURL: address, bundleIdentifier: app, home: home, trust: trust)
        return try Agent(
            configuration, connection: try configuration.makeConnection(), presenter: TerminalPresenter(),
            clock: clock, random: AgentRandom(SystemRandomNumberGenerator()), system: PosixSystem(.app),
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
    }

    static let clock = AgentClock(
        now: { Int64(Date().timeIntervalSince1970 * 1000) }, sleep: { try await Task.sleep(for: $0) })
}
