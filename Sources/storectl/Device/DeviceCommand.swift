// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreAPI
import StoreAgent
import StoreDomain

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Show a device's daemon and downloads, forget an app, restrict the device, sign it in or out.",
        subcommands: [
            DeviceStatusCommand.self, DeviceDownloadsCommand.self, DeviceRestrictCommand.self, DeviceAllowCommand.self,
            DeviceSignInCommand.self, DeviceSignOutCommand.self, DeviceForgetCommand.self,
        ])
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

    @OptionGroup var store: DeviceStore

    func run() async throws {
        try await storectl.run {
            try await DeviceAccount(home: device.url).signOut(
                over: try store.connect(from: device), request: SystemDependencies.random.hexadecimal(bytes: 16))
            print("\(device.url.path) is signed out.")
        }
    }
}

/// The store of a device that a command calls.
struct DeviceStore: ParsableArguments {
    @Option(help: ArgumentHelp("The store. Default: STOREKIT_STORE_URL.", valueName: "url"))
    var store: String?

    func connect(from device: DeviceHome) throws -> any StoreConnection {
        try configuration(of: device).makeConnection()
    }

    func configuration(of device: DeviceHome) throws -> AgentConfiguration {
        let environment = ProcessInfo.processInfo.environment
        guard let address = (store ?? environment["STOREKIT_STORE_URL"]).flatMap(URL.init(string:)), address.host != nil
        else {
            throw CommandFailure("Say where the store is: --store http://127.0.0.1:8080.")
        }
        return AgentConfiguration(
            storeURL: address, bundleIdentifier: "", home: device.url,
            tlsRoots: environment["STOREKIT_TLS_ROOTS"].map { URL(fileURLWithPath: $0) })
    }
}
