// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct ReceiptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt", abstract: "Look at receipts and signed payloads, and make them for tests.",
        subcommands: [ReceiptInspectCommand.self, ReceiptVerifyCommand.self, ReceiptMakeCommand.self])
}
