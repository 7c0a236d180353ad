// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct RequestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List the requests to buy and the interrupted purchases that wait for a decision.")

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            var last: String?
            var all: [Control.TransactionAnswer] = []
            repeat {
                let page: Control.RequestsAnswer = try await control.call(
                    .requests, Control.RequestsCall(after: last))
                all += page.requests
                last = page.requests.last?.transaction
            } while last != nil
            if json { return try printJSON(all) }
            for request in all { try control.show(request, json: false) }
        }
    }
}

/// The arguments of a decision about one purchase.
struct Decision: ParsableArguments {
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
            try control.show(answer, json: json)
        }
    }
}

struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve a request to buy, as a parent does: it is charged and delivered.")

    @OptionGroup var decision: Decision

    func run() async throws {
        try await decision.send(.approve)
    }
}

struct DeclineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Decline a request to buy, as a parent does: its payment fails.")

    @OptionGroup var decision: Decision

    func run() async throws {
        try await decision.send(.decline)
    }
}

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "End the interruption of a purchase: it is charged and delivered.")

    @OptionGroup var decision: Decision

    func run() async throws {
        try await decision.send(.resolve)
    }
}

struct RefundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund", abstract: "Refund a purchase, whether the app has finished it or not.",
        discussion: """
            The customer gets back the rest of the price, and loses the product. With --amount the customer gets \
            back only a part, and keeps the product until nothing of the price is left. Each call with --amount is \
            another refund; all of them together are never more than the price. A call that is repeated with the same \
            --identifier is one refund: if the answer is lost, the message has the identifier.
            """)

    @OptionGroup var decision: Decision

    @Option(help: ArgumentHelp("A part of the price, such as 0.30, in the purchase's currency.", valueName: "amount"))
    var amount: String?

    @Option(
        help: ArgumentHelp(
            "The identifier of a refund that is repeated: 32 hexadecimal digits. Default: a new one.",
            valueName: "identifier"))
    var identifier: String?

    func run() async throws {
        try await storectl.run {
            let identifier = identifier ?? SystemDependencies.random.hexadecimal(bytes: 16)
            let answer: Control.TransactionAnswer = try await decision.control.call(
                .refund,
                Control.RefundCall(transaction: decision.transaction, amount: amount, identifier: identifier),
                remedy: "To repeat the refund, add --identifier \(identifier): it is made once.")
            try decision.control.show(answer, json: decision.json)
        }
    }
}
