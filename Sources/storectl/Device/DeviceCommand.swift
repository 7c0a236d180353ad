// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreAgent
import StoreDomain

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Restrict a device or sign it out, for all of its apps.",
        subcommands: [DeviceRestrictCommand.self, DeviceAllowCommand.self, DeviceSignOutCommand.self])
}

/// The device that a command works on.
struct DeviceHome: ParsableArguments {
    @Option(help: "The device's home. Default: STOREKIT_HOME, else $XDG_DATA_HOME/storekit.")
    var home: String?

    var url: URL {
        home.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? AgentConfiguration.home(in: ProcessInfo.processInfo.environment)
    }
}

struct DeviceRestrictCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restrict", abstract: "Allow no In-App Purchases on this device.")

    @OptionGroup var device: DeviceHome

    func run() async throws {
        try await storectl.run {
            try DeviceRestrictions(home: device.url).allow(inAppPurchases: false)
            print("\(device.url.path) allows no In-App Purchases.")
        }
    }
}

struct DeviceAllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Allow In-App Purchases on this device again.")

    @OptionGroup var device: DeviceHome

    func run() async throws {
        try await storectl.run {
            try DeviceRestrictions(home: device.url).allow(inAppPurchases: true)
            print("\(device.url.path) allows In-App Purchases.")
        }
    }
}

struct DeviceSignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Sign this device out of its account, for all of its apps; their receipts stay.")

    @OptionGroup var device: DeviceHome

    @Option(help: ArgumentHelp("The store. Default: STOREKIT_STORE_URL.", valueName: "url"))
    var store: String?

    func run() async throws {
        try await storectl.run {
            var environment = ProcessInfo.processInfo.environment
            environment["STOREKIT_STORE_URL"] = store ?? environment["STOREKIT_STORE_URL"]
            guard let address = environment["STOREKIT_STORE_URL"].flatMap(URL.init(string:)), address.host != nil else {
                throw CommandFailure("Say where the store is: --store http://127.0.0.1:8080.")
            }
            let configuration = AgentConfiguration(
                storeURL: address, bundleIdentifier: "", home: device.url,
                tlsRoots: environment["STOREKIT_TLS_ROOTS"].map { URL(fileURLWithPath: $0) })
            try await DeviceAccount(home: device.url).signOut(
                over: try configuration.makeConnection(), request: SystemDependencies.random.hexadecimal(bytes: 16))
            print("\(device.url.path) is signed out.")
        }
    }
}
