// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct AccountListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the accounts, whether the store is running or not.")

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            var accounts: [Control.AccountAnswer] = []
            var page: [Control.AccountAnswer]
            repeat {
                let call = Control.AccountsCall(after: accounts.last?.email)
                let answer: Control.AccountsAnswer = try await store.call(.accounts, call) { context in
                    try await Control.AccountsAnswer(listing: call, of: context)
                }
                page = answer.accounts
                accounts += page
            } while !page.isEmpty
            if json { return try printJSON(accounts) }
            for account in accounts { print(account.line) }
        }
    }
}

struct AccountShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print an account, whether the store is running or not.")

    @Argument(help: "The account's e-mail address.")
    var email: String

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let call = Control.ShowAccountCall(email: email)
            let account: Control.AccountAnswer = try await store.call(.showAccount, call) { context in
                try await Control.AccountAnswer(finding: call, in: context)
            }
            if json { return try printJSON(account) }
            print(account.line)
        }
    }
}
