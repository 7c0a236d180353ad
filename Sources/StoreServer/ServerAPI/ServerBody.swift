// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import NIOCore
import StoreDomain

/// The JSON object in the body of a request to the App Store Server API. Each
/// field is read with the error that Apple has for it. A field that is null
/// counts as absent, and fields of other names have no meaning here.
struct ServerBody {
    private let members: [String: JSONValue]

    /// The largest body, in bytes.
    static let limit = 16 << 10
    /// The longest text of a field, in bytes: the longest identifier of a
    /// product.
    private static let longestText = 255

    /// - Throws: `ServerError` for a body that isn't a JSON object.
    init(_ body: ByteBuffer) throws(ServerError) {
        guard let text = String(validating: body.readableBytesView, as: UTF8.self),
            case .object(let members)? = try? JSONValue(parsing: text)
        else { throw .badRequest }
        self.members = members.filter { $0.value != .null }
    }

    func has(_ name: String) -> Bool { members[name] != nil }

    func text(_ name: String, or error: ServerError) throws(ServerError) -> String {
        guard let text = members[name].flatMap(String.init(json:)), text.utf8.count <= Self.longestText,
            !text.utf8.contains(0)
        else { throw error }
        return text
    }

    func number(_ name: String, in range: ClosedRange<Int>, or error: ServerError) throws(ServerError) -> Int {
        guard let number = members[name].flatMap(Int64.init(json:)), let number = Int(exactly: number),
            range.contains(number)
        else { throw error }
        return number
    }

    func bool(_ name: String, or error: ServerError) throws(ServerError) -> Bool {
        guard let bool = members[name].flatMap(Bool.init(json:)) else { throw error }
        return bool
    }

    func texts(_ name: String, or error: ServerError) throws(ServerError) -> [String] {
        guard let texts = members[name].flatMap([String].init(json:)) else { throw error }
        return texts
    }
}
