// SPDX-License-Identifier: Apache-2.0

import Metrics
import StoreCore
import StoreDomain
import StoreService

/// The gauges whose values are read when `/metrics` is requested.
actor StoreGauges {
    private let service: StoreService
    private let backend: PrometheusMetrics
    private let connections: @Sendable () -> Int
    private let gauges: Gauges
    private var work: (readAt: WallTime, values: ReadingBacklogs.DueWork?)?
    private var isReading = false

    /// How long a result of the database is used again, so that frequent
    /// requests don't cost the database more than one read.
    static let freshness: Duration = .seconds(5)

    init(_ service: StoreService, _ backend: PrometheusMetrics, connections: @escaping @Sendable () -> Int = { 0 }) {
        self.service = service
        self.backend = backend
        self.connections = connections
        gauges = Gauges(backend)
    }

    /// Reads the gauges, and returns all metrics as text.
    func text() async -> String {
        let load = service.load
        gauges.connections.set(connections())
        gauges.streams.set(service.openStreams)
        gauges.streamedApps.set(service.streamedApps)
        gauges.contentStreams.set(service.openContentStreams)
        gauges.passwordHashes.set(load.passwordHashes)
        gauges.databaseReachable.set(load.isDatabaseReachable ? 1 : 0)
        gauges.connectionsInUse.set(load.connectionsInUse)
        gauges.idleConnections.set(load.idleConnections)
        gauges.waitingReads.set(load.waitingReads)
        gauges.waitingWrites.set(load.waitingWrites)
        if load.isDatabaseReachable {
            await readWork()
        } else {
            // A read would wait until the database is reachable again.
            work = nil
        }
        showWork()
        return backend.text()
    }

    private func readWork() async {
        let now = service.clock.now()
        if let work, work.readAt <= now, now < work.readAt + Self.freshness { return }
        guard !isReading else { return }
        isReading = true
        work = (now, try? await service.dueWork())
        isReading = false
    }

    private func showWork() {
        let now = service.clock.now()
        for (kind, gauge) in gauges.backlogs {
            let backlog = work?.values?.backlogs[kind]
            gauge.count.set(backlog.map { Double($0.count) } ?? .nan)
            gauge.age.set(backlog.map { $0.age(at: now) / .seconds(1) } ?? .nan)
        }
        for (kind, gauge) in gauges.leases {
            let leases = work?.values?.leases[kind]
            gauge.held.set(leases.map { Double($0.held) } ?? .nan)
            gauge.expired.set(leases.map { Double($0.expired) } ?? .nan)
        }
    }

    private struct Gauges {
        let connections: Meter
        let streams: Meter
        let streamedApps: Meter
        let contentStreams: Meter
        let passwordHashes: Meter
        let databaseReachable: Meter
        let connectionsInUse: Meter
        let idleConnections: Meter
        let waitingReads: Meter
        let waitingWrites: Meter
        let backlogs: [Backlog.Kind: (count: Meter, age: Meter)]
        let leases: [LeaseCount.Kind: (held: Meter, expired: Meter)]

        init(_ backend: PrometheusMetrics) {
            typealias Name = MetricDefinition.Name
            func gauge(_ name: String, _ dimensions: [(String, String)] = []) -> Meter {
                Meter(label: name, dimensions: dimensions, factory: backend)
            }
            #if DEBUG
            let compiled = "debug"
            #else
            let compiled = "release"
            #endif
            gauge(Name.build, [("version", StoreVersion.current), ("configuration", compiled)]).set(1)
            connections = gauge(Name.connections)
            streams = gauge(Name.streams)
            streamedApps = gauge(Name.streamedApps)
            contentStreams = gauge(Name.contentStreams)
            passwordHashes = gauge(Name.passwordHashes)
            databaseReachable = gauge(Name.databaseReachable)
            connectionsInUse = gauge(Name.databaseConnections, [("state", "in_use")])
            idleConnections = gauge(Name.databaseConnections, [("state", "idle")])
            waitingReads = gauge(Name.databaseWaiting, [("access", "read")])
            waitingWrites = gauge(Name.databaseWaiting, [("access", "write")])
            backlogs = Dictionary(
                uniqueKeysWithValues: Backlog.Kind.allCases.map { work in
                    let label = [("work", work.rawValue)]
                    return (work, (gauge(Name.backlog, label), gauge(Name.backlogAge, label)))
                })
            leases = Dictionary(
                uniqueKeysWithValues: LeaseCount.Kind.allCases.map { work in
                    func leases(_ state: String) -> Meter {
                        gauge(Name.leases, [("work", work.rawValue), ("state", state)])
                    }
                    return (work, (leases("held"), leases("expired")))
                })
        }
    }
}
