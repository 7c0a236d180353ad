// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct AccountClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Delete all purchases of a sandbox account of a running store.",
        discussion: "The account, its devices and its settings stay. A tester can buy everything again.")

    @Argument(help: "The account's e-mail address.")
    var email: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let answer: Control.ClearPurchasesAnswer = try await control.call(
                .clearPurchases, Control.ClearPurchasesCall(email: email))
            if json { return try printJSON(answer) }
            print("Deleted \(answer.deleted) purchases of \(email).")
        }
    }
}
