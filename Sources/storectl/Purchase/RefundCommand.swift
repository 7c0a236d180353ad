// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct RefundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund", abstract: "Refund a purchase, whether the app has finished it or not.",
        discussion: """
            The customer gets back the rest of the price, and loses the product. With --amount the customer gets \
            back only a part, and loses the product, too: Apple calls this a prorated refund. Each call with --amount \
            is another refund; all of them together are never more than the price. A call that is repeated with the same \
            --identifier is one refund: if the answer is lost, the message has the identifier.
            """)

    @OptionGroup var decision: PendingPurchaseArguments

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
            try answer.show(json: decision.json)
        }
    }
}
