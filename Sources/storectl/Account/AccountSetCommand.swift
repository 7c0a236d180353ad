// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct AccountSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change an account of a running store, and print how it is then.")

    @Argument(help: "The account's e-mail address.")
    var email: String

    @Option(help: "The country that it moves to, in three letters.")
    var storefront: String?

    @Option(help: "The customer's name; an empty one removes it.")
    var name: String?

    @Option(
        help: "The customer's language, such as de or de_DE; an empty one removes it, so that the storefront's applies."
    )
    var locale: String?

    @Option(
        help: ArgumentHelp(
            "When the sheet asks for the password: \(PasswordRule.all.map(\.rawValue).joined(separator: ", ")).",
            valueName: "rule"))
    var passwordRule: String?

    @Flag
    var switches: [AccountSwitchFlag] = []

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        _ = try AccountSwitchFlag.switches(switches)
    }

    func run() async throws {
        try await storectl.run {
            let account: Control.AccountAnswer = try await control.call(
                .account,
                Control.AccountCall(
                    email: email, storefront: storefront, name: name, locale: locale, passwordRule: passwordRule,
                    switches: try AccountSwitchFlag.switches(switches)))
            if json { return try printJSON(account) }
            print(account.line)
        }
    }
}
