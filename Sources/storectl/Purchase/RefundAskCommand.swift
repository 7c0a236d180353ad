// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct RefundsAskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Ask for a refund, as a customer does. It waits for a decision.")

    @Argument(help: "The purchase's number.")
    var transaction: String

    @Option(help: "unintended, child, missing, broken, unsatisfied, legal or other.")
    var reason = "other"

    @Option(help: "The customer's words.")
    var comment: String?

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let answer: Control.RefundRequestAnswer = try await control.call(
                .askRefund, Control.AskRefundCall(transaction: transaction, reason: reason, comment: comment))
            try answer.show(json: json)
        }
    }
}
