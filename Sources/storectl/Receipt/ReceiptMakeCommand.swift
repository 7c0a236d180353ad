// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import ArgumentParser
import Foundation
import StoreDomain

struct ReceiptMakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Make a receipt or a signed payload from a JSON description, for tests.",
        discussion: """
            The description is what `receipt inspect --json` prints; "format" says which one it is: app-receipt, \
            transaction-receipt, or jws with "kind" (transaction, renewal-info, app-transaction, notification) and \
            "payload". Missing fields get a value.
            It is signed by an authority that is made for it and thrown away, unless --authority names another one's \
            directory. An authority that signs for production is refused.
            """)

    @Argument(help: "The description, JSON; - is standard input.")
    var file: String

    @Option(help: ArgumentHelp("Where to write it. Default: standard output.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Sign by the authority of this directory.", valueName: "directory"))
    var authority: String?

    @Option(help: ArgumentHelp("Write the certificates to verify it with, as PEM.", valueName: "file"))
    var certificates: String?

    @Flag(help: "Write base64 instead of the receipt's own bytes, as sellers' servers are sent it.")
    var base64 = false

    private struct Kind: Decodable {
        var format: String
        var kind: String?
    }

    func run() async throws {
        try await storectl.run {
            let description = try readFile(file, what: "description")
            let authority = try signingAuthority()
            var bytes = try make(description, authority)
            if base64 { bytes = Data(bytes.base64EncodedString().utf8) }
            if let certificates {
                try write(Data(authority.bundlePEM.utf8), to: certificates)
            }
            if let output {
                try write(bytes, to: output)
            } else {
                FileHandle.standardOutput.write(bytes)
            }
        }
    }

    private func signingAuthority() throws -> SigningAuthority {
        guard let authority else {
            var random = SystemDependencies.random.drawing
            return try SigningAuthority.create(using: &random)
        }
        let keys = OperatorKeys.environment(ProcessInfo.processInfo.environment)
        let stored = try SigningAuthority(directory: URL(fileURLWithPath: authority, isDirectory: true), keys: keys)
        guard try !stored.signsForProduction else {
            throw CommandFailure(
                "The authority in \(authority) signs for production: made-up receipts of it would be worth money.")
        }
        return stored
    }

    private func make(_ description: Data, _ authority: SigningAuthority) throws -> Data {
        do {
            let decoder = JSONDecoder()
            let kind = try decoder.decode(Kind.self, from: description)
            let now = Date()
            switch kind.format {
            case "app-receipt":
                let receipt = try decoder.decode(AppReceiptDescription.self, from: description)
                return try authority.sign(receipt.receipt(now: now, opaque: Data(SystemDependencies.random.bytes(16))))
            case "transaction-receipt":
                let receipt = try decoder.decode(TransactionReceiptDescription.self, from: description)
                return try authority.sign(receipt.receipt(now: now))
            case "jws":
                guard let payloadKind = PayloadKind(rawValue: kind.kind ?? PayloadKind.transaction.rawValue) else {
                    let kinds = PayloadKind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw CommandFailure("\"kind\" is one of \(kinds), not \"\(kind.kind ?? "")\".")
                }
                // Parsed without Foundation, which would change how numbers are written.
                guard case .object(let members) = try JSONValue(parsing: String(decoding: description, as: UTF8.self)),
                    let payload = members["payload"]
                else { throw CommandFailure("The description of a JWS has its payload in \"payload\".") }
                return Data(try sign(payload.encoded, as: payloadKind.type, authority).utf8)
            default:
                throw CommandFailure(
                    "\"format\" is app-receipt, transaction-receipt or jws, not \"\(kind.format)\".")
            }
        } catch let error as DecodingError {
            throw CommandFailure("The description \(file) can't be used: \(error)")
        }
    }

    private func sign<Payload: SignedPayload>(
        _ json: String, as type: Payload.Type, _ authority: SigningAuthority
    ) throws -> String {
        try authority.sign(Payload(json: json))
    }

    private func write(_ data: Data, to path: String) throws {
        do {
            try data.write(to: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure("\(path) can't be written.")
        }
    }
}
