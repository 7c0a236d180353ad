// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct BuyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "buy", abstract: "Buy a product as a customer does, without a device.",
        discussion: """
            The account is charged. Every device on which it uses the app receives the transaction as one that the \
            app hasn't asked for; a consumable goes to the device that was used last. A call that is repeated with \
            the same --request makes one purchase.
            """)

    @Argument(help: "The account's e-mail address.")
    var account: String

    @Argument(help: "The product's identifier.")
    var product: String

    @Option(help: "The app's bundle identifier.")
    var bundleID: String

    @Option(help: ArgumentHelp("The number of units, 1 to 10.", valueName: "count"))
    var quantity = 1

    @Option(help: ArgumentHelp("The app's name for its user; a UUID is the appAccountToken.", valueName: "uuid"))
    var accountToken: String?

    @Option(
        help: ArgumentHelp(
            "The identifier of a promotional offer, which needs no signature here.", valueName: "identifier"))
    var offer: String?

    @Option(help: ArgumentHelp("The identifier of a win-back offer.", valueName: "identifier"))
    var winBackOffer: String?

    @Option(help: ArgumentHelp("The identifier of a purchase that is repeated. Default: a new one.", valueName: "text"))
    var request: String?

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let request = request ?? SystemDependencies.random.hexadecimal(bytes: 16)
            let answer: Control.TransactionAnswer = try await control.call(
                .buy,
                Control.BuyCall(
                    email: account, bundle: bundleID, product: product, quantity: quantity, request: request,
                    accountToken: accountToken, offer: offer, winBackOffer: winBackOffer),
                remedy: "To repeat the purchase, add --request \(request): it is made once.")
            try answer.show(json: json)
        }
    }
}

struct FinishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish", abstract: "Finish a transaction on all devices, as an app that has delivered it does.")

    @OptionGroup var decision: PendingPurchaseArguments

    func run() async throws {
        try await decision.send(.finish)
    }
}
