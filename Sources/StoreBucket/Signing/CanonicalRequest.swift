// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore

/// The parts of a request that a signature covers, and the text that is made
/// of them (Signature Version 4, "Create a canonical request").
struct CanonicalRequest: Sendable {
    /// A name and a value, of a query or of a header field.
    struct Item: Hashable, Sendable {
        var name: String
        var value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The checksum of a body that isn't signed.
    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    var method: String
    /// The path, percent-encoded.
    var path: String
    /// The items of the query, not encoded.
    var query: [Item]
    /// The header fields with names in lower case, one of each name.
    var fields: [Item]
    /// The SHA-256 of the body in hexadecimal, or ``unsignedPayload``.
    var payload: String

    /// The SHA-256 of a body in hexadecimal.
    static func checksum(_ body: Data) -> String { Data(SHA256.hash(data: body)).hexadecimal }

    /// The query as it is sent and signed: encoded, and sorted by the encoded
    /// names.
    var queryText: String {
        query.map { ($0.name.percentEncoded(), $0.value.percentEncoded()) }
            .sorted { $0 < $1 }
            .map { "\($0)=\($1)" }
            .joined(separator: "&")
    }

    /// The names of the signed fields, sorted.
    var signedFields: String { sortedFields.map(\.name).joined(separator: ";") }

    private var sortedFields: [Item] { fields.sorted { $0.name < $1.name } }

    var text: String {
        let fields = sortedFields.map { "\($0.name):\(Self.trimmed($0.value))\n" }.joined()
        return [method, path, queryText, fields, signedFields, payload].joined(separator: "\n")
    }

    /// A value without blanks at its ends, and with one blank in the place of
    /// several.
    private static func trimmed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }
}
