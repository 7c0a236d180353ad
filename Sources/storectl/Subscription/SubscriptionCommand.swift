// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct SubscriptionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription", abstract: "Work with the subscriptions of a running store.",
        subcommands: [
            SubscriptionListCommand.self, SubscriptionCancelCommand.self, SubscriptionResumeCommand.self,
            SubscriptionExtendCommand.self, SubscriptionPriceConsentCommand.self,
            SubscriptionContactsCommand.self, SubscriptionChooseCommand.self, SubscriptionShareCommand.self,
            SubscriptionExpireCommand.self, SubscriptionRenewCommand.self,
        ])
}

struct SubscriptionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the subscriptions of an account, with the events of the current period.")

    @Argument(help: "The account's e-mail address.")
    var account: String

    @Option(help: "Only those of the app with this bundle identifier.")
    var bundleId: String?

    @Flag(help: "With the events of all periods.")
    var history = false

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let answer: Control.SubscriptionsAnswer = try await control.call(
                .subscriptions, Control.SubscriptionsCall(email: account, bundle: bundleId))
            var subscriptions = answer.subscriptions
            if history {
                let all = Dictionary(grouping: try await events(), by: \.subscription)
                for place in subscriptions.indices {
                    subscriptions[place].events = all[subscriptions[place].subscription] ?? []
                }
            }
            if json { return try printJSON(subscriptions) }
            for subscription in subscriptions {
                print(subscription.line)
                for event in subscription.events { print("  \(event.line)") }
            }
        }
    }

    /// The events of all subscriptions of the account.
    private func events() async throws -> [Control.SubscriptionEventAnswer] {
        var events: [Control.SubscriptionEventAnswer] = []
        var next: [Control.SubscriptionPosition]? = []
        while let after = next {
            let page: Control.SubscriptionEventsAnswer = try await control.call(
                .subscriptionEvents, Control.SubscriptionEventsCall(email: account, after: after))
            events += page.events
            next = page.next
        }
        return events
    }
}

/// The arguments of a command about one subscription.
struct SubscriptionArguments: ParsableArguments {
    @Argument(help: "Any transaction of the subscription, as subscription list prints it.")
    var transaction: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    /// Turns the renewal on or off, and prints the subscription.
    func setRenewal(_ renews: Bool) async throws {
        try await send(.setRenewal, Control.SetRenewalCall(transaction: transaction, renews: renews))
    }

    /// Sends a call about the subscription, and prints the subscription.
    func send(_ verb: Control.Verb, _ call: some Encodable) async throws {
        try await storectl.run {
            let answer: Control.SubscriptionAnswer = try await control.call(verb, call)
            if json { return try printJSON(answer) }
            print(answer.line)
        }
    }
}

struct SubscriptionCancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Turn the renewal off, as the customer does: the paid period goes on to its end.",
        discussion: "While the store retries a charge, the subscription ends immediately.")

    @OptionGroup var arguments: SubscriptionArguments

    func run() async throws {
        try await arguments.setRenewal(false)
    }
}

struct SubscriptionResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Turn the renewal on again. A subscription that has ended can only be bought again.")

    @OptionGroup var arguments: SubscriptionArguments

    func run() async throws {
        try await arguments.setRenewal(true)
    }
}

extension Control.SubscriptionAnswer {
    /// One line about the subscription.
    var line: String {
        var line = "\(subscription) \(product) \(status), paid until \(paidUntil)"
        if let graceUntil, status == "grace period" { line += ", in grace until \(graceUntil)" }
        if let retryUntil { line += ", charged again until \(retryUntil)" }
        if let priceIncrease { line += ", \(priceIncrease.line)" }
        if let nextProduct { line += ", renews as \(nextProduct)" } else { line += ", doesn't renew" }
        if let request { line += ", request \(request) waits for an approval" }
        return line + (expirationIntent.map { " (expiration intent \($0))" } ?? "")
    }
}
