// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Work with accounts.",
        subcommands: [AccountAddCommand.self, AccountSetCommand.self, AccountCloseCommand.self])
}
