// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreService

struct PaymentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payment",
        abstract: "Work with payments that the sandbox's provider answers later.",
        subcommands: [
            PaymentListCommand.self, PaymentAnswerCommand.self, PaymentConfirmCommand.self, PaymentDeclineCommand.self,
        ])
}

struct PaymentListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the payments that wait for their customer or a bank.")

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let answer: Control.PaymentsAnswer = try await control.call(.payments, Control.PaymentsCall())
            if json { return try printJSON(answer.payments) }
            for payment in answer.payments {
                let expires = Date(timeIntervalSince1970: Double(payment.expires) / 1000)
                let action = payment.action.map { ", at \($0)" } ?? ""
                print(
                    """
                    \(payment.payment) \(payment.email) \(payment.product) \(payment.amount) \(payment.currency) \
                    until \(expires.formatted(.iso8601))\(action)
                    """)
            }
        }
    }
}

struct PaymentAnswerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer",
        abstract: "Say how the sandbox's provider answers the next payments.",
        discussion: """
            HOW is authorise, decline, pending, or default, which removes the answer. It holds until it is changed, \
            for an account or for all accounts without one of their own. Payments that are under way keep theirs.

            A pending payment waits until its customer confirms it on the page of --action, until --then answers \
            it, or until storectl payment confirm or decline does.
            """)

    @Argument(help: "authorise, decline, pending or default.")
    var how: String

    @Option(help: ArgumentHelp("Only for the account with this e-mail address.", valueName: "email"))
    var account: String?

    @Flag(help: "The customer has to act on a page, as for 3-D Secure.")
    var action = false

    @Option(help: ArgumentHelp("How long the store waits for a pending payment.", valueName: "seconds"))
    var expires: Int64?

    @Option(help: ArgumentHelp("The later answer of a pending payment: authorise or decline.", valueName: "how"))
    var then: String?

    @Option(help: ArgumentHelp("The time until the later answer.", valueName: "seconds"))
    var after: Int64?

    @Flag(help: "Send each event twice.")
    var twice = false

    @Flag(help: "After the event with the later answer, send the older one.")
    var outOfOrder = false

    @Option(help: ArgumentHelp("Only the next payments, 1 to 1000. Default: until it is changed.", valueName: "count"))
    var times: Int64?

    @Option(help: ArgumentHelp("With decline: the sentence for the customer.", valueName: "text"))
    var reason: String?

    @OptionGroup var control: RemoteControl

    func validate() throws {
        guard ["authorise", "decline", "pending", "default"].contains(how) else {
            throw ValidationError("A payment is answered with authorise, decline, pending or default.")
        }
    }

    func run() async throws {
        try await storectl.run {
            var call = Control.SetPaymentAnswerCall(account: account, answer: how == "default" ? nil : how)
            call.hasAction = action
            call.lifetime = expires
            call.outcome = then
            call.delay = after
            call.isSentTwice = twice
            call.isOutOfOrder = outOfOrder
            call.times = times
            call.reason = reason
            let _: Control.SetPaymentAnswerCall = try await control.call(.setPaymentAnswer, call)
            let whose = account.map { "The payments of \($0)" } ?? "All payments"
            print("\(whose) are answered with \(how) from now on.")
        }
    }
}

/// The arguments of an answer to one payment.
struct PendingPaymentArguments: ParsableArguments {
    @Argument(help: "The payment's number, as payment list prints it.")
    var payment: String

    @OptionGroup var control: RemoteControl

    /// Sends the answer.
    func send(isConfirmed: Bool) async throws {
        try await storectl.run {
            let _: Control.AnswerPaymentCall = try await control.call(
                .answerPayment, Control.AnswerPaymentCall(payment: payment, isConfirmed: isConfirmed))
            print("\(payment) \(isConfirmed ? "confirmed" : "declined")")
        }
    }
}

struct PaymentConfirmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Confirm a payment, as its customer or a bank does. Too late, the provider only sends the event.")

    @OptionGroup var decision: PendingPaymentArguments

    func run() async throws {
        try await decision.send(isConfirmed: true)
    }
}

struct PaymentDeclineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline",
        abstract: "Decline a payment, as its customer or a bank does. Too late, the provider only sends the event.")

    @OptionGroup var decision: PendingPaymentArguments

    func run() async throws {
        try await decision.send(isConfirmed: false)
    }
}
