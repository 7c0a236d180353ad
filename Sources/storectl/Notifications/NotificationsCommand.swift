// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

/// The notifications to sellers' servers.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "List and resend App Store Server Notifications, and set the addresses that receive them.",
        subcommands: [
            NotificationAddressCommand.self, NotificationsListCommand.self, NotificationsShowCommand.self,
            NotificationsResendCommand.self, NotificationsListenCommand.self, NotificationsDeliverCommand.self,
            NotificationsModesCommand.self,
        ])
}

struct NotificationsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the notifications, newest first.")

    @Option(help: ArgumentHelp("Only those of this app.", valueName: "bundle-id"))
    var app: String?

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let all = try await control.all(
                .notifications, \Control.NotificationsAnswer.notifications, by: \.notification
            ) { Control.NotificationsCall(bundle: app, after: $0) }
            if json { return try printJSON(all) }
            for notification in all { print(notification.line) }
        }
    }
}

struct NotificationsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a notification with its payload and the attempts to send it.")

    @OptionGroup var chosen: NotificationArguments

    func run() async throws {
        try await storectl.run { try await chosen.send(.showNotification) }
    }
}

struct NotificationsResendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend", abstract: "Send a notification again, with the same bytes.")

    @OptionGroup var chosen: NotificationArguments

    func run() async throws {
        try await storectl.run { try await chosen.send(.resendNotification) }
    }
}

/// The arguments of a command about one notification.
struct NotificationArguments: ParsableArguments {
    @Argument(help: "The notificationUUID, as the list has it.")
    var notification: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func send(_ verb: Control.Verb) async throws {
        let answer: Control.NotificationAnswer = try await control.call(
            verb, Control.NotificationCall(notification: notification))
        if json { return try printJSON(answer) }
        print(answer.line)
        for delivery in answer.deliveries {
            let attempts = delivery.attempts.map(\.result).joined(separator: ", ")
            print("  \(delivery.url)  \(delivery.state)\(attempts.isEmpty ? "" : "  \(attempts)")")
        }
        if let payload = answer.payload { print(payload) }
    }
}

extension Control.NotificationAnswer {
    /// The notification in one line of a listing.
    var line: String {
        let kind = (subtype.map { "\(type)/\($0)" } ?? type) + (version == 1 ? " (version 1)" : "")
        let states = deliveries.isEmpty ? "not signed" : deliveries.map(\.state).joined(separator: ", ")
        return [notification, kind, transaction, states].compactMap(\.self).joined(separator: "  ")
    }
}
