// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct RefundsReverseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reverse", abstract: "Take back the refund of a purchase.",
        discussion: """
            The customer pays the price again and has the product again, also the members of the family. The seller's \
            servers get REFUND_REVERSED. All refunds of the purchase are taken back together. A refund whose product \
            the customer has bought again can't be taken back. A call that is repeated with the same \
            --identifier is one change: if the answer is lost, the message has the identifier.
            """)

    @OptionGroup var decision: PendingPurchaseArguments

    @Option(
        help: ArgumentHelp(
            "The identifier of a call that is repeated: 32 hexadecimal digits. Default: a new one.",
            valueName: "identifier"))
    var identifier: String?

    func run() async throws {
        try await storectl.run {
            let identifier = identifier ?? SystemDependencies.random.hexadecimal(bytes: 16)
            let answer: Control.TransactionAnswer = try await decision.control.call(
                .reverseRefund,
                Control.ReverseRefundCall(transaction: decision.transaction, identifier: identifier),
                remedy: "To repeat it, add --identifier \(identifier): it is carried out once.")
            try answer.show(json: decision.json)
        }
    }
}
