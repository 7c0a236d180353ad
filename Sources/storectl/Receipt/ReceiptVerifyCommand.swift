// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import ArgumentParser
import Foundation
import StoreDomain

struct ReceiptVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a receipt against a root certificate.",
        discussion: "Prints what holds, or why it doesn't. Exit status 0 when all of it holds.")

    @Argument(help: "The receipt: DER or base64; - is standard input.")
    var file: String

    @Option(help: ArgumentHelp("The trusted root certificates, PEM or DER.", valueName: "file"))
    var root: String

    @Option(help: "The app that the receipt must be for.")
    var bundleID: String?

    @Option(help: ArgumentHelp("The device that the receipt must be for.", valueName: "hexadecimal"))
    var device: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Report: Encodable {
        var verified: Bool
        var refusals: [String]
    }

    func run() async throws {
        try await storectl.run {
            guard let rootData = FileManager.default.contents(atPath: root) else {
                throw CommandFailure("The root certificate \(root) can't be read.")
            }
            let identifier = try device.map { text in
                guard let data = Data(hexadecimal: text) else {
                    throw CommandFailure("--device takes hexadecimal, not \"\(text)\".")
                }
                return data
            }
            let verifier = AppReceiptVerifier(roots: try TrustRoots(pemOrDER: rootData).certificates)
            let verdict = try verifier.verify(
                try readReceipt(file), expecting: .init(bundleIdentifier: bundleID, deviceIdentifier: identifier))
            switch verdict {
            case .verified(let receipt):
                try report([])
                if !json {
                    print(
                        "ok: \(receipt.contents.inAppPurchases.count) purchases of \(receipt.contents.bundleIdentifier)"
                    )
                }
            case .refused(let refusals):
                try report(refusals.map { "\($0.message)" })
                throw ExitCode(1)
            }
        }
    }

    private func report(_ refusals: [String]) throws {
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            print(
                String(
                    decoding: try encoder.encode(Report(verified: refusals.isEmpty, refusals: refusals)),
                    as: UTF8.self))
            return
        }
        for refusal in refusals { print("refused: \(refusal)") }
    }
}
