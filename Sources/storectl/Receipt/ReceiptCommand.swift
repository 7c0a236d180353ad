// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

struct ReceiptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt", abstract: "Look at receipts.",
        subcommands: [ReceiptInspectCommand.self, ReceiptVerifyCommand.self])
}

/// The bytes of a receipt file: DER, or base64 of it, with or without line
/// breaks; `-` is standard input.
func readReceipt(_ path: String) throws -> Data {
    let data: Data
    if path == "-" {
        data = try FileHandle.standardInput.readToEnd() ?? Data()
    } else {
        guard let contents = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("The receipt \(path) can't be read.")
        }
        data = contents
    }
    // DER of a SEQUENCE begins with 0x30, which is the digit 0: base64 of DER
    // begins with M, so the two can't be mistaken for one another.
    if data.first != 0x30, let decoded = Data(base64Encoded: data, options: .ignoreUnknownCharacters), !decoded.isEmpty
    {
        return decoded
    }
    return data
}
