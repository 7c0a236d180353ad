// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore

/// A request for a file of a seller's server that is within all limits.
package struct BackgroundFileRequest: Sendable, Hashable {
    package let identifier: String
    package let address: String
    package let fields: [String: String]
    /// In milliseconds.
    package let timeLimit: Int64

    /// Checks a request.
    ///
    /// - Throws: ``BackgroundFileFailure`` with the reason `request`.
    package init(identifier: String, address: String, fields: [String: String], timeLimit: Duration) throws {
        guard (1...200).contains(identifier.utf8.count), !identifier.utf8.contains(0) else {
            throw Self.refusal("The identifier has to have 1 to 200 bytes, and no zero byte.")
        }
        guard address.utf8.count <= 8000, let url = URL(string: address), Self.isAllowed(url) else {
            throw Self.refusal(
                "The address has to be one of https, or of http to this machine, of at most 8,000 bytes.")
        }
        try Self.check(fields)
        guard timeLimit >= .seconds(1), timeLimit <= .seconds(30 * 24 * 3600) else {
            throw Self.refusal("The time limit has to be from a second to 30 days.")
        }
        self.identifier = identifier
        self.address = address
        self.fields = fields
        self.timeLimit = timeLimit.milliseconds
    }

    /// Whether files are loaded from an address: over TLS, or from this
    /// machine.
    static func isAllowed(_ url: URL) -> Bool {
        guard let host = url.host?.lowercased(), !host.isEmpty, url.user == nil, url.password == nil else {
            return false
        }
        switch url.scheme?.lowercased() {
        case "https": return true
        case "http": return ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
        default: return false
        }
    }

    /// The fields that the device sends itself, or that change the meaning of
    /// the connection.
    private static let reserved: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "if-range", "proxy-authorization",
        "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static func check(_ fields: [String: String]) throws {
        guard fields.count <= 32, fields.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) <= 16_000 else {
            throw refusal("There can be 32 header fields of 16,000 bytes together. Send fewer.")
        }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
                throw refusal("The name of a header field has to have letters, digits and -_. only.")
            }
            guard !reserved.contains(name.lowercased()) else {
                throw refusal("The device sends the header field \(name) itself. Leave it out.")
            }
            guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw refusal("The value of the header field \(name) has to be printable ASCII.")
            }
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func refusal(_ message: String) -> BackgroundFileFailure {
        BackgroundFileFailure(.request, message)
    }
}
