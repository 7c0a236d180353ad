// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import ArgumentParser
import Foundation

struct ReceiptInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Print the contents of a receipt or a signed payload, without checking who signed it.",
        discussion: """
            Reads an app receipt (DER or base64), a transaction receipt (property list or base64) and a JWS, by any \
            store, Apple's and Xcode's among them.
            """)

    @Argument(help: "The receipt; - is standard input.")
    var file: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            switch try ReceiptFile(file) {
            case .appReceipt(let data):
                let receipt = try UnverifiedAppReceipt(parsing: data)
                let description = AppReceiptDescription(receipt.contents)
                try show(description, description.lines, certificates: receipt.certificates)
            case .transactionReceipt(let data):
                let receipt = try UnverifiedTransactionReceipt(parsing: data)
                let description = TransactionReceiptDescription(receipt.contents)
                try show(
                    description, description.lines + ["signature version    \(receipt.signatureVersion)"],
                    certificates: [receipt.certificate])
            case .jws(let text):
                let jws = try UnverifiedJWS<UntypedPayload>(parsing: text)
                if json {
                    print(jws.payload.json)
                } else {
                    let lines = jws.payload.members.sorted { $0.key < $1.key }.map { "\($0.key)  \($0.value.encoded)" }
                    let kind = PayloadKind(of: jws.payload.members)
                    try show("", ["format  JWS, \(kind.rawValue)"] + lines, certificates: jws.certificates)
                }
            }
        }
    }

    private func show(_ description: some Encodable, _ lines: [String], certificates: [Data]) throws {
        if json { return try printJSON(description) }
        lines.forEach { print($0) }
        for certificate in certificates {
            // Some old certificates, for example with short keys, can't be parsed.
            guard let summary = try? CertificateSummary(der: certificate) else {
                print("certificate          of \(certificate.count) bytes")
                continue
            }
            print("certificate          \(summary.subject)")
            print(
                "  number \(summary.serialNumber), \(spelled(summary.notValidBefore)) to \(spelled(summary.notValidAfter))"
            )
        }
    }
}

/// A payload of any kind. The types of its fields aren't checked.
struct UntypedPayload: SignedPayload {
    struct Fields: Sendable {}

    var members: [String: JSONValue] = [:]
    static let fields = Fields()
    static let types = PayloadTypes.none
    var dateOfSigning: Date? { nil }
    var statedBundleIdentifier: String? { nil }
    var statedEnvironment: PayloadEnvironment? { nil }
}
