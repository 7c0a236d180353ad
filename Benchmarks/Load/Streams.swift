// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain

/// Devices that are signed in, of which some hold an event stream open.
final class Streams: Sendable {
    private let sockets: [HTTPConnection]

    /// Opens one stream for each device, and waits until the store has begun
    /// to send it.
    init(of devices: [DeviceCredentials], at port: Int) async throws {
        let threads = 16
        let body = try StoreCoding.encode(
            EventsCall(apps: [StreamedApp(bundleIdentifier: BenchmarkStore.app, takesPages: true)]))
        sockets = try await onThreads(threads) { thread in
            try stride(from: thread, to: devices.count, by: threads).map { place in
                let connection = try HTTPConnection(port: port)
                try connection.openStream(
                    "\(StorePath.folder)/\(StorePath.events.rawValue)",
                    headers: ["Authorization": devices[place].authorization], body: body)
                return connection
            }
        }.flatMap(\.self)
    }

    var count: Int { sockets.count }

    /// Registers devices, each signed in to an account of its own.
    static func register(_ count: Int, in store: BenchmarkStore) async throws -> [DeviceCredentials] {
        // The numbers of customers are smaller.
        let devices = (0..<count).map { Customer.credentials(100_000 + $0) }
        let opening = OpeningTestAccount(store.context)
        for start in stride(from: 0, to: count, by: 100) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in start..<min(start + 100, count) {
                    group.addTask {
                        _ = try await opening(
                            email: "device\(place)@example.com", storefront: "USA",
                            device: DeviceIdentifier(devices[place].identifier), secret: devices[place].secret)
                    }
                }
                try await group.waitForAll()
            }
        }
        return devices
    }
}
