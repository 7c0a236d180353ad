// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Work with accounts.",
        subcommands: [
            AccountAddCommand.self, AccountSetCommand.self, AccountListCommand.self, AccountShowCommand.self,
            AccountPaymentCommand.self, AccountDeleteCommand.self, AccountClearCommand.self,
        ])
}
