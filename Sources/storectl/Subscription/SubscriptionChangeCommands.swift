// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct SubscriptionExpireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire", abstract: "End a sandbox subscription now. Nothing is given back.")

    @OptionGroup var arguments: SubscriptionArguments

    func run() async throws {
        try await arguments.send(.expireSubscription, Control.TransactionCall(transaction: arguments.transaction))
    }
}

struct SubscriptionRenewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "End the running period of a sandbox subscription, and charge the next one now."
    )

    @OptionGroup var arguments: SubscriptionArguments

    func run() async throws {
        try await arguments.send(.renewSubscription, Control.TransactionCall(transaction: arguments.transaction))
    }
}

struct SubscriptionChooseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "choose", abstract: "Choose the product of the next period, as the customer does.")

    @OptionGroup var arguments: SubscriptionArguments

    @Option(help: ArgumentHelp("A product of the same group.", valueName: "identifier"))
    var product: String

    func run() async throws {
        try await arguments.send(
            .choosePlan, Control.ChoosePlanCall(transaction: arguments.transaction, product: product))
    }
}

struct SubscriptionShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Share a subscription with the family, as its customer does.")

    @OptionGroup var arguments: SubscriptionArguments

    @Flag(help: "End the sharing.")
    var off = false

    func run() async throws {
        try await arguments.send(
            .shareSubscription, Control.ShareSubscriptionCall(transaction: arguments.transaction, isShared: !off))
    }
}
