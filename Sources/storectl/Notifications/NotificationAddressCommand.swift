// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

/// The addresses to which a store sends notifications.
struct NotificationAddressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "List, add and remove the addresses that receive notifications.",
        subcommands: [
            NotificationAddressListCommand.self, NotificationAddressAddCommand.self,
            NotificationAddressRemoveCommand.self,
        ])
}

struct NotificationAddressListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the addresses, those for all apps first.")

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let answer: Control.NotificationAddressesAnswer = try await control.call(
                .notificationAddresses, Control.NotificationAddressesCall())
            try answer.show(json: json)
        }
    }
}

struct NotificationAddressAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an address: https, or http of this computer.",
        discussion: "It receives the notifications of later changes. Adding one that exists changes nothing.")

    @OptionGroup var chosen: NotificationAddressArguments

    @Flag(
        name: .customLong("version-1"),
        help: "Send notifications of version 1, which Apple has deprecated. Default: version 2.")
    var isOfVersion1 = false

    func run() async throws {
        try await storectl.run { try await chosen.send(.addNotificationAddress, version: isOfVersion1 ? 1 : 2) }
    }
}

struct NotificationAddressRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an address. Deliveries that wait are still made.")

    @OptionGroup var chosen: NotificationAddressArguments

    func run() async throws {
        try await storectl.run { try await chosen.send(.removeNotificationAddress) }
    }
}

/// The arguments of a command about one address.
struct NotificationAddressArguments: ParsableArguments {
    @Argument(help: "The address, such as http://localhost:8000/notifications.")
    var url: String

    @Option(help: ArgumentHelp("The app. Default: all apps.", valueName: "bundle-id"))
    var app: String?

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func send(_ verb: Control.Verb, version: Int? = nil) async throws {
        let answer: Control.NotificationAddressesAnswer = try await control.call(
            verb, Control.NotificationAddressCall(url: url, bundle: app, version: version))
        try answer.show(json: json)
    }
}

extension Control.NotificationAddressesAnswer {
    func show(json: Bool) throws {
        if json { return try printJSON(addresses) }
        for address in addresses {
            let version = address.version == 1 ? "  version 1" : ""
            print("\(address.bundle ?? "all apps")  \(address.url)\(version)")
        }
    }
}
