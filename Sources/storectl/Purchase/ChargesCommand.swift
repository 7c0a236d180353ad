// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct ChargesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "charges", abstract: "List the charges and the refunds of a purchase, oldest first.")

    @Argument(help: "The purchase's number.")
    var transaction: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let answer: Control.ChargesAnswer = try await control.call(
                .charges, Control.TransactionCall(transaction: transaction))
            if json { return try printJSON(answer.charges) }
            for charge in answer.charges { print("\(charge.at)  \(charge.kind)  \(charge.amount) \(charge.currency)") }
        }
    }
}
