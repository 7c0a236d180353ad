// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// A file in one of the three formats, which is recognized by its content.
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
        // The DER of a SEQUENCE begins with 0x30, the digit 0, and base64 of
        // DER begins with M: neither can be mistaken for the other.
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
