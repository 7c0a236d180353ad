// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport

@testable import StoreAgent

/// A daemon of a test's device, in this process.
struct RunningDaemon: Sendable {
    let daemon: AgentDaemon

    /// Runs the daemon while the body runs.
    func running(_ body: @Sendable () async throws -> Void) async throws {
        let isReady = Watched(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await daemon.run(environment: [:]) { isReady.change { $0 = true } } }
            await isReady.until { $0 }
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}

extension Device {
    func daemon(appLimit: Int = AgentDaemon.appLimit) -> RunningDaemon {
        RunningDaemon(
            daemon: AgentDaemon(
                home: home, clock: clock.clock, random: AgentRandom(SystemRandomNumberGenerator()), logger: .silent,
                appLimit: appLimit))
    }
}
