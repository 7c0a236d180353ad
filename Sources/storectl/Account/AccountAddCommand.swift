// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreService

struct AccountAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Open a test account in the sandbox, whether the store is running or not.")

    @Argument(help: "The account's e-mail address; a message is sent to it only if the store has --sendmail.")
    var email: String

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Read the password from standard input, one line. Otherwise the terminal asks for it.")
    var passwordStdin = false

    @Option(help: "The account's country, in three letters.")
    var storefront = "USA"

    @Option(help: "The customer's name.")
    var name: String?

    @Option(help: "The customer's language, such as de or de_DE. Default: the country's.")
    var locale: String?

    @Flag(help: "Do nothing when the address has an account already.")
    var ifMissing = false

    @Flag(help: "Print the account as JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let password = try readPassword()
            let call = Control.NewAccountCall(
                email: email, password: password, storefront: storefront, name: name, locale: locale)
            let account: Control.NewAccountAnswer = try await store.call(.addAccount, call) { context in
                try await Control.NewAccountAnswer(adding: call, to: context)
            }
            guard account.isNew || ifMissing else {
                throw CommandFailure("There is an account for \(account.email) already.")
            }
            try report(account)
        }
    }

    private func readPassword() throws -> String {
        if passwordStdin {
            guard let line = readLine(), !line.isEmpty else {
                throw CommandFailure("There is no password on standard input.")
            }
            return line
        }
        guard isatty(STDIN_FILENO) == 1, let typed = getpass("Password for \(email): ") else {
            throw CommandFailure("There is no terminal to ask for the password: give it with --password-stdin.")
        }
        return String(cString: typed)
    }

    private func report(_ account: Control.NewAccountAnswer) throws {
        if json {
            var object: [String: String] = ["email": account.email, "status": account.isNew ? "added" : "exists"]
            object["storefront"] = account.storefront
            try printJSON(object)
        } else {
            print(account.isNew ? "Added \(account.email)." : "\(account.email) was there already.")
        }
    }
}
