// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDatabase
import StoreDomain
import StoreService

struct AccountCloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Close an account for good; the store may be running.",
        discussion: """
            Its address and its password are forgotten and its devices signed out. What it bought stays in the \
            store's books, and /verifyReceipt answers 21010 for its receipts.
            """)

    @Argument(help: "The account's e-mail address.")
    var email: String

    @Option(help: "The store's folder. Default: $XDG_DATA_HOME/openstorekit.")
    var data: String?

    @Option(help: ArgumentHelp("The store's database, as serve takes it.", valueName: "url"))
    var database: String?

    func run() async throws {
        try await storectl.run {
            let directory = try StoreDirectory(path: data, environment: ProcessInfo.processInfo.environment)
            let database = try await directory.location(database).open()
            let context = StoreContext(
                database: database, environment: .sandbox, random: SystemDependencies.random,
                provider: SandboxPaymentProvider(database: database))
            try await ClosingAccount(context)(email: email, now: SystemDependencies.clock.now())
            try database.close()
            print("Closed \(Account.normalized(email)).")
        }
    }
}
