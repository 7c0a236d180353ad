// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAgent
import StoreService

/// The time from an app's start until it receives a purchase that was made
/// while it didn't run.
struct DaemonLaunchRow: Row {
    static let name = "daemon-launch"
    static let summary =
        "starts of an app until its observer has a purchase of the meantime, which storeagentd has received before, "
        + "against starts without a daemon, which receive it from the store"

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            return try await withServer(store.server) { port in
                let served = try await WaitingPurchase(1, of: store, at: port, in: folder)
                let alone = try await WaitingPurchase(2, of: store, at: port, in: folder)
                return try await served.serving {
                    try await Comparison(
                        Side("starts") { try await 1 / (served.launch(isInJournal: true) / .seconds(1)) },
                        against: Side("starts") { try await 1 / (alone.launch(isInJournal: false) / .seconds(1)) })
                }
            }
        }
    }
}

/// The memory of a daemon that waits for news of five apps.
struct DaemonMemoryRow: Row {
    static let name = "daemon-memory"
    static let summary =
        "the memory of an idle storeagentd with five apps that don't run, against one that has no app; and the event "
        + "streams at the store"

    private static let apps = 5

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder, apps: apps)
            let trust = folder.appending(path: "root.cer")
            try BenchmarkStore.authority.get().rootCertificate.write(to: trust)
            let empty = try await DaemonProcess.serving(folder.appending(path: "empty")) {
                try ResidentMemory.kibibytes("VmRSS", of: $0)
            }
            return try await withServer(store.server) { port in
                let home = folder.appending(path: "home", directoryHint: .isDirectory)
                return try await DaemonProcess.serving(home) { process in
                    try await leave(home, port, trust)
                    let streams = try await streams(of: store)
                    let full = try ResidentMemory.kibibytes("VmRSS", of: process)
                    var comparison = Comparison(Double(full), against: Double(empty), unit: "KiB")
                    comparison.notes = ["\((full - empty) / apps) KiB an app", "\(streams) event streams at the store"]
                    return comparison
                }
            }
        }
    }

    /// Starts five apps, and ends them when the daemon serves them.
    private static func leave(_ home: URL, _ port: Int, _ trust: URL) async throws {
        let agents = try BenchmarkStore.apps(apps).map {
            try BenchmarkAgent.open($0, home: home, port: port, trust: trust)
        }
        let daemon = DeviceDaemon(home: home, clock: BenchmarkAgent.clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for agent in agents { group.addTask { do { try await agent.run() } catch is CancellationError {} } }
            try await wait("the daemon serves the apps") {
                try await daemon.status()?.apps.count { $0.processes == 1 } == apps
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        agents.forEach { $0.close() }
        try await wait("the apps have left") { try await daemon.status()?.apps.count { $0.processes == 0 } == apps }
    }

    /// The number of the daemon's streams when it listens for each app.
    private static func streams(of store: BenchmarkStore) async throws -> Int {
        try await wait("the daemon listens") { store.service.streamedApps == apps && store.service.openStreams == 1 }
        return store.service.openStreams
    }

    private static func wait(_ what: String, until condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while try await !condition() {
            guard ContinuousClock.now < end else { throw BenchmarkFailure("Waited 30 s in vain until \(what).") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
