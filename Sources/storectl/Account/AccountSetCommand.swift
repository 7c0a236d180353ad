// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct AccountSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a test account of a running store, and print how it is then.")

    @Argument(help: "The account's e-mail address.")
    var email: String

    @Option(help: "The country that it moves to, in three letters.")
    var storefront: String?

    @Flag(inversion: .prefixedNo, help: "Whether the store sells nothing to it any more.")
    var barred: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether another person has to approve its purchases.")
    var askToBuy: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether its purchases are interrupted.")
    var interruptPurchases: Bool?

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let account: Control.AccountAnswer = try await control.call(
                .account,
                Control.AccountCall(
                    email: email, storefront: storefront, isBarred: barred, asksToBuy: askToBuy,
                    interruptsPurchases: interruptPurchases))
            if json { return try printJSON(account) }
            var notes = [account.storefront]
            if account.isBarred { notes.append("barred") }
            if account.asksToBuy { notes.append("asks to buy") }
            if account.interruptsPurchases { notes.append("purchases are interrupted") }
            print("\(account.email): \(notes.joined(separator: ", "))")
        }
    }
}
