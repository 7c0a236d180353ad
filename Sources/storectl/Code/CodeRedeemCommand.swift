// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct CodeRedeemCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redeem", abstract: "Redeem a code as a customer of a sandbox does, without a device.",
        discussion: "A call that is repeated with the same --request redeems once.")

    @Argument(help: "The account's e-mail address.")
    var account: String

    @Argument(help: "The code.")
    var code: String

    @Option(help: "The app's bundle identifier.")
    var bundleID: String

    @Option(
        help: ArgumentHelp("The identifier of a redemption that is repeated. Default: a new one.", valueName: "text"))
    var request: String?

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let request = request ?? SystemDependencies.random.hexadecimal(bytes: 16)
            let answer: Control.TransactionAnswer = try await control.call(
                .redeem, Control.RedeemCall(email: account, bundle: bundleID, code: code, request: request),
                remedy: "To repeat the redemption, add --request \(request): it is made once.")
            try answer.show(json: json)
        }
    }
}
