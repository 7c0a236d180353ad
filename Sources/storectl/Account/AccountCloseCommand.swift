// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct AccountCloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Close an account for good, whether the store is running or not.",
        discussion: """
            Its address and its password are forgotten and its devices signed out. Its purchases stay in the \
            store's books, and /verifyReceipt answers 21010 for its receipts.
            """)

    @Argument(help: "The account's e-mail address.")
    var email: String

    @OptionGroup var store: AdministeredStore

    func run() async throws {
        try await storectl.run {
            let call = Control.CloseAccountCall(email: email)
            let closed: Control.CloseAccountAnswer = try await store.call(.closeAccount, call) { context in
                try await Control.CloseAccountAnswer(closing: call, in: context)
            }
            print("Closed \(closed.email).")
        }
    }
}
