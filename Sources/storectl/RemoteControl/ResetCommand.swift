// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Empty a store in the sandbox, and keep its catalogue.",
        discussion: """
            Accounts, devices, purchases, subscriptions, payments, codes and scheduled prices are deleted. The apps with \
            their products, prices and hosted content stay, and so do the sellers' keys, the signing authority, the \
            shared secrets and the addresses of notifications. Repeating it changes nothing.
            """)

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let answer = try await store.call(.reset, Control.ResetCall()) { context in
                try await ResettingStore(context)()
                return Control.ResetCall()
            }
            if json { return try printJSON(answer) }
            print("The store is empty. Its catalogue and its keys are as before.")
        }
    }
}
