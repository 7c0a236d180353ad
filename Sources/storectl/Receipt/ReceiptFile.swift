// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// A file in one of the three formats, told apart by how it begins.
enum ReceiptFile {
    case appReceipt(Data)
    case transactionReceipt(Data)
    case jws(String)

    /// Reads a file: DER, a property list, base64 of either with or without
    /// line breaks, or a JWS; `-` is standard input.
    init(_ path: String) throws {
        self = Self.recognizing(try readFile(path, what: "receipt"))
    }

    static func recognizing(_ data: Data) -> ReceiptFile {
        let text = String(decoding: data.prefix(1 << 20), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.filter({ $0 == "." }).count == 2, text.hasPrefix("ey") { return .jws(text) }
        if text.hasPrefix("{") { return .transactionReceipt(data) }
        // DER of a SEQUENCE begins with 0x30, which is the digit 0: base64 of
        // DER begins with M, so the two can't be mistaken for one another.
        if data.first != 0x30, let decoded = Data(base64Encoded: data, options: .ignoreUnknownCharacters),
            !decoded.isEmpty
        {
            return decoded.first { $0 > 0x20 } == UInt8(ascii: "{")
                ? .transactionReceipt(decoded) : .appReceipt(decoded)
        }
        return .appReceipt(data)
    }
}

/// The bytes of a file; `-` is standard input.
func readFile(_ path: String, what: String) throws -> Data {
    if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
    guard let contents = FileManager.default.contents(atPath: path) else {
        throw CommandFailure("The \(what) \(path) can't be read.")
    }
    return contents
}

/// JSON as all of these commands print it.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
}
