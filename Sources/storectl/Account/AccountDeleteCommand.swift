// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct AccountDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an account for good, whether the store is running or not.",
        discussion: """
            Its address, its name and its password are deleted, and it is signed out everywhere. Its purchases stay in \
            the store's books without them, and /verifyReceipt answers 21010 for its receipts. docs/retention.md lists \
            everything that is deleted.
            """,
        aliases: ["close"])

    @Argument(help: "The account's e-mail address.")
    var email: String

    @OptionGroup var store: AdministeredStore

    func run() async throws {
        try await storectl.run {
            let call = Control.CloseAccountCall(email: email)
            let closed: Control.CloseAccountAnswer = try await store.call(.closeAccount, call) { context in
                try await Control.CloseAccountAnswer(closing: call, in: context)
            }
            print("Deleted \(closed.email).")
        }
    }
}
