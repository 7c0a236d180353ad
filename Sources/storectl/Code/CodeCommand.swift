// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDomain
import StoreService

struct CodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code",
        abstract: "Make the codes with which customers get an offer or a product.",
        subcommands: [
            CodeCreateCommand.self, CodeListCommand.self, CodeExportCommand.self, CodeRevokeCommand.self,
            CodeRedeemCommand.self,
        ])
}

struct CodeListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the batches of codes.")

    @Option(help: "The bundle identifier of the app.")
    var bundleID: String

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let call = Control.CodesCall(bundle: bundleID)
            let answer: Control.CodesAnswer = try await store.call(.codes, call) { context in
                try await Control.CodesAnswer(listing: call, of: context)
            }
            if json { return try printJSON(answer.batches) }
            for batch in answer.batches {
                let state = batch.revoked != nil ? "revoked" : batch.isComplete ? "valid" : "incomplete"
                print(
                    [
                        batch.batch, state, batch.kind, batch.product.isEmpty ? "-" : batch.product, batch.offer ?? "-",
                        "\(batch.redeemed) of \(batch.size * batch.limit)", batch.name,
                    ].joined(separator: "\t"))
            }
        }
    }
}

struct CodeExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print the codes of a batch with their redemptions, as CSV with the columns code and redeemed.",
        discussion: """
            The store doesn't keep the codes: they are derived from the file that `storectl code create` has written.
            """)

    @Argument(help: "The file of the batch.")
    var file: String

    @OptionGroup var store: AdministeredStore

    func run() async throws {
        try await storectl.run {
            let batch = try CodeFile(path: file)
            let call = Control.CodeBatchCall(batch: batch.batch)
            let answer: Control.RedeemedCodesAnswer = try await store.call(.redeemedCodes, call) { context in
                try await Control.RedeemedCodesAnswer(listing: call, of: context)
            }
            let redeemed = Dictionary(answer.codes.map { ($0.number, $0.redeemed) }) { first, _ in first }
            print("code,redeemed")
            for (number, code) in batch.codes.enumerated() { print("\(code),\(redeemed[number] ?? 0)") }
        }
    }
}

struct CodeRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a batch: codes that aren't redeemed yet can't be redeemed any more.")

    @Argument(help: "The batch's identifier.")
    var batch: String

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let call = Control.CodeBatchCall(batch: batch)
            let answer: Control.CodeBatchAnswer = try await store.call(.revokeCodes, call) { context in
                try await Control.CodeBatchAnswer(revoking: call, in: context)
            }
            if json { return try printJSON(answer) }
            print("The batch \(batch) is revoked. \(answer.redeemed) redemptions were made before.")
        }
    }
}
