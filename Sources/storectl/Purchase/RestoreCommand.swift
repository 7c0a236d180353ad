// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore the purchases of an account in an app, without a device.",
        discussion: "A call that is repeated with the same --request gets the same transactions.")

    @Argument(help: "The account's e-mail address.")
    var account: String

    @Option(help: "The app's bundle identifier.")
    var bundleID: String

    @Option(help: ArgumentHelp("The identifier of a restore that is repeated. Default: a new one.", valueName: "text"))
    var request: String?

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let request = request ?? SystemDependencies.random.hexadecimal(bytes: 16)
            let answer: Control.RestoredPurchasesAnswer = try await control.call(
                .restore, Control.RestorePurchasesCall(email: account, bundle: bundleID, request: request),
                remedy: "To repeat the restore, add --request \(request): it is made once.")
            if json { return try printJSON(answer.transactions) }
            for restored in answer.transactions {
                print("\(restored.transaction)  \(restored.product)  \(restored.quantity)  of \(restored.original)")
            }
        }
    }
}
