// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDatabase
import StoreDomain
import StoreService

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Work with accounts.",
        subcommands: [AccountAddCommand.self, AccountSetCommand.self, AccountCloseCommand.self])
}

struct AccountAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Open a test account in the sandbox; the store may be running.")

    @Argument(help: "The account's e-mail address; nothing is ever sent to it.")
    var email: String

    @Option(help: "The store's folder. Default: $XDG_DATA_HOME/openstorekit.")
    var data: String?

    @Option(help: ArgumentHelp("The store's database, as serve takes it.", valueName: "url"))
    var database: String?

    @Flag(help: "Read the password from standard input, one line. Otherwise the terminal asks for it.")
    var passwordStdin = false

    @Option(help: "The account's country, in three letters.")
    var storefront = "USA"

    @Flag(help: "Do nothing when the address has an account already.")
    var ifMissing = false

    @Flag(help: "Print the account as JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let password = try readPassword()
            let directory = try StoreDirectory(path: data, environment: ProcessInfo.processInfo.environment)
            let database = try await directory.location(database).open()
            let context = StoreContext(
                database: database, environment: .sandbox, random: SystemDependencies.random,
                provider: SandboxPaymentProvider(database: database))
            do {
                let account = try await AddingAccount(context)(
                    email: email, password: password, storefront: storefront, now: SystemDependencies.clock.now())
                try report(account.email, storefront: account.storefront.countryCode, isNew: true)
            } catch let error as DomainError where error.code == .exists && ifMissing {
                try report(Account.normalized(email), storefront: nil, isNew: false)
            }
            try database.close()
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

    private func report(_ email: String, storefront: String?, isNew: Bool) throws {
        if json {
            var object: [String: String] = ["email": email, "status": isNew ? "added" : "exists"]
            object["storefront"] = storefront
            let data = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
            print(String(decoding: data, as: UTF8.self))
        } else {
            print(isNew ? "Added \(email)." : "\(email) was there already.")
        }
    }
}
