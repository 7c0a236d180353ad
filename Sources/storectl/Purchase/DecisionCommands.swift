// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

/// The arguments of a decision about one purchase.
struct PendingPurchaseArguments: ParsableArguments {
    @Argument(help: "The purchase's number, as requests or the app shows it.")
    var transaction: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    /// Sends the decision, and prints the purchase's new state.
    func send(_ verb: Control.Verb) async throws {
        try await storectl.run {
            let answer: Control.TransactionAnswer = try await control.call(
                verb, Control.TransactionCall(transaction: transaction))
            try answer.show(json: json)
        }
    }
}

struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve a request to buy, as a parent does: it is charged and delivered.")

    @OptionGroup var decision: PendingPurchaseArguments

    func run() async throws {
        try await decision.send(.approve)
    }
}

struct DeclineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Decline a request to buy, as a parent does: its payment fails.")

    @OptionGroup var decision: PendingPurchaseArguments

    func run() async throws {
        try await decision.send(.decline)
    }
}

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "End the interruption of a purchase: it is charged and delivered.")

    @OptionGroup var decision: PendingPurchaseArguments

    func run() async throws {
        try await decision.send(.resolve)
    }
}
