// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

/// Customers' requests for refunds.
struct RefundsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refunds", abstract: "List and decide customers' requests for refunds, and take refunds back.",
        subcommands: [
            RefundsListCommand.self, RefundsAskCommand.self, RefundsApproveCommand.self, RefundsDeclineCommand.self,
            RefundsReverseCommand.self,
        ])
}

struct RefundsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the requests that wait for a decision, oldest first.")

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let all = try await control.all(.refundRequests, \Control.RefundRequestsAnswer.requests, by: \.request) {
                Control.RefundRequestsCall(after: $0)
            }
            if json { return try printJSON(all) }
            for request in all { try request.show(json: false) }
        }
    }
}

struct RefundsApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve a request, and refund the purchase.",
        discussion: """
            Repeating it never refunds twice. A request whose approval was interrupted stays in the list; it is repeated \
            with the same --amount.
            """)

    @OptionGroup var decision: RefundRequestArguments

    @Option(help: ArgumentHelp("A part of the price, such as 0.30, in the purchase's currency.", valueName: "amount"))
    var amount: String?

    func run() async throws {
        try await storectl.run {
            try await decision.send(
                .approveRefund, Control.ApproveRefundCall(request: decision.request, amount: amount))
        }
    }
}

struct RefundsDeclineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Decline a request: nothing is given back.")

    @OptionGroup var decision: RefundRequestArguments

    func run() async throws {
        try await storectl.run {
            try await decision.send(.declineRefund, Control.RefundRequestCall(request: decision.request))
        }
    }
}

/// The arguments of a decision about a request for a refund.
struct RefundRequestArguments: ParsableArguments {
    @Argument(help: "The identifier of the request, as the list has it.")
    var request: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func send(_ verb: Control.Verb, _ call: some Encodable) async throws {
        let answer: Control.RefundRequestAnswer = try await control.call(verb, call)
        try answer.show(json: json)
    }
}

extension Control.RefundRequestAnswer {
    func show(json: Bool) throws {
        if json { return try printJSON(self) }
        let words = comment.map { "  \"\($0.debugDescription.dropFirst().dropLast())\"" } ?? ""
        print("\(request)  \(status)  \(transaction)  \(reason)\(words)")
        guard let consumption else { return }
        let fields = consumption.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print("  the seller: \(fields.joined(separator: ", "))")
    }
}
