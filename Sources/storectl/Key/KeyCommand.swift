// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDomain
import StoreService

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Make the keys with which a seller's server signs offers and its requests to the store.",
        subcommands: [KeyCreateCommand.self, KeyListCommand.self, KeyRevokeCommand.self])
}

struct KeyCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a key, and write its private part to a file.",
        discussion: """
            The file is a private key of the curve P-256 in PEM (PKCS #8), as App Store Connect's .p8 files are. The \
            store keeps only the public part: a lost file can't be made again.
            """)

    @Argument(help: "Your own name for the key.")
    var name: String

    @Option(help: ArgumentHelp("The new file. Default: SubscriptionKey_<key id>.p8.", valueName: "file"))
    var output: String?

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let pair = try InAppPurchaseKey.Pair(SystemDependencies.random)
            let path = output ?? "SubscriptionKey_\(pair.identifier).p8"
            // Written first: a registered key without its file is of no use.
            guard !FileManager.default.fileExists(atPath: path) else {
                throw CommandFailure("There is a file \(path) already: name another one with --output.")
            }
            try PrivateFile.create(path, Data(pair.privateKey.utf8))
            let call = Control.RegisterKeyCall(key: pair.identifier, name: name, publicKey: pair.publicKey)
            let issuer: String
            do {
                let answer: Control.KeysAnswer = try await store.call(.registerKey, call) { context in
                    try await Control.KeysAnswer(registering: call, in: context)
                }
                issuer = answer.issuer
            } catch let failure as CommandFailure where failure.isTemporary {
                // The store may have registered the key: the file may be needed.
                throw CommandFailure(
                    "\(failure.description) The private key is in \(path): `storectl key list` says whether the store "
                        + "has \(pair.identifier). If it doesn't, remove the file.")
            } catch {
                try? FileManager.default.removeItem(atPath: path)
                throw error
            }
            if json { return try printJSON(["key": pair.identifier, "name": name, "file": path, "issuer": issuer]) }
            print(
                "The key \(pair.identifier) is in \(path). Keep the file secret: who has it can sign offers, and read "
                    + "the purchases of all customers. The issuer id is \(issuer).")
        }
    }
}

struct KeyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the keys.")

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let call = Control.KeysCall()
            let answer: Control.KeysAnswer = try await store.call(.keys, call) { context in
                try await Control.KeysAnswer(listing: call, of: context)
            }
            if json { return try printJSON(answer.keys) }
            print("issuer\t\(answer.issuer)")
            for key in answer.keys {
                print(
                    [key.key, key.revoked == nil ? "valid" : "revoked", key.bundle ?? "all apps", key.name]
                        .joined(separator: "\t"))
            }
        }
    }
}

struct KeyRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a key: offers that it has signed aren't accepted any more.")

    @Argument(help: "The key's identifier.")
    var key: String

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let call = Control.RevokeKeyCall(key: key)
            let answer: Control.KeysAnswer = try await store.call(.revokeKey, call) { context in
                try await Control.KeysAnswer(revoking: call, in: context)
            }
            if json { return try printJSON(answer.keys.filter { $0.key == key }) }
            print("The key \(key) is revoked.")
        }
    }
}
