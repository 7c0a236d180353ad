// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import StoreDomain
import StoreService

/// The saved values of an object, with the tag by which a change names them.
struct ConnectSaved: Encodable {
    private let value: any Encodable & Sendable
    /// The value of the header field `ETag`, which `If-Match` names.
    let tag: String

    /// `version` differs for different values, and has no quotation marks.
    init(_ value: some Encodable & Sendable, version: String) {
        self.value = value
        tag = "\"\(version)\""
    }

    static func app(_ app: ConnectAnswers.App) -> ConnectSaved { ConnectSaved(app, version: String(app.version)) }

    static func product(_ product: ConnectAnswers.Product) -> ConnectSaved {
        ConnectSaved(product, version: String(product.version))
    }

    static func user(_ user: ConnectAnswers.User) -> ConnectSaved { ConnectSaved(user, version: user.role) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    func response(status: HTTPResponse.Status = .ok) -> Response {
        var response = Response.json(self, status: status)
        response.headers[.eTag] = tag
        return response
    }
}

extension String {
    /// The text itself when a tag is its ``hashedVersion``; else a text that no
    /// values have, so that the use case finds them changed.
    func named(by tag: String) -> String { hashedVersion == tag ? self : "\u{0}" }

    /// The version of values that a text tells apart, in characters that a
    /// header field may have.
    var hashedVersion: String {
        SHA256.hash(data: Data(utf8)).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
