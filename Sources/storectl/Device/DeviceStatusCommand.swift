// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreAgent

struct DeviceStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the device's daemon, its apps and its restrictions.")

    @OptionGroup var device: DeviceHome

    @Flag(help: "Print JSON.")
    var json = false

    /// The JSON of the status.
    private struct Answer: Encodable {
        var home: String
        var allowsPayments: Bool
        /// Absent when no daemon runs.
        var daemon: DaemonStatus?
    }

    func run() async throws {
        try await storectl.run {
            let daemon: DaemonStatus?
            do {
                daemon = try await DeviceDaemon(home: device.url, clock: SystemDependencies.deviceClock).status()
            } catch let refusal as DaemonRefusal {
                throw CommandFailure(refusal.message)
            }
            let allowsPayments = DeviceRestrictions(home: device.url).refusal == nil
            if json {
                return try printJSON(Answer(home: device.url.path, allowsPayments: allowsPayments, daemon: daemon))
            }
            print("\(device.url.path) allows \(allowsPayments ? "In-App Purchases" : "no In-App Purchases").")
            guard let daemon else { return print("No storeagentd runs: apps work alone.") }
            print("storeagentd \(daemon.version.release) runs (process \(daemon.process)).")
            for app in daemon.apps {
                let state = app.failure.map { "not synchronized: \($0)" } ?? "\(app.processes) running"
                print("\(app.bundleIdentifier)\t\(state)")
            }
        }
    }
}

struct DeviceDownloadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "List the downloads of all apps of the device: of unfinished transactions, and of sellers' files.")

    @OptionGroup var device: DeviceHome

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let listing = DeviceDownloads(home: device.url).list()
            if json {
                try printJSON(listing.lines)
            } else {
                listing.lines.forEach { print($0) }
            }
            guard listing.failures.isEmpty else {
                fflush(nil)
                throw CommandFailure(listing.failures.joined(separator: "\n"))
            }
        }
    }
}
