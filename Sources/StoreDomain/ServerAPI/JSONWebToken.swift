// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore

/// A JWT with a signature of ES256 (RFC 7519), as a request has it: nothing is
/// verified.
package struct JSONWebToken: Sendable {
    /// Why a token isn't accepted: the end of a sentence that begins with "The
    /// token".
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        package var reason: String

        package var description: String { "The token \(reason)." }
    }

    private struct Header: Decodable {
        var alg: String
        var kid: String
        var typ: String
    }

    /// The longest token that is read, in bytes. Apple's libraries make some
    /// 350.
    package static let longest = 4096
    /// The audience of a token.
    static let audience = "appstoreconnect-v1"
    /// The seconds by which a seller's clock may be ahead of the store's.
    static let tolerance: Double = 60

    /// The identifier of the key that has signed it.
    var keyIdentifier: String
    private var payload: Data
    private var signed: Data
    private var signature: P256.Signing.ECDSASignature

    /// Reads a token from the value of the header field `Authorization`.
    ///
    /// - Throws: ``Refusal``.
    init(authorization: String?) throws(Refusal) {
        guard let authorization else { throw Refusal(reason: "is missing: send \"Authorization: Bearer <JWT>\"") }
        let scheme = "Bearer "
        guard authorization.utf8.count <= scheme.utf8.count + Self.longest else {
            throw Refusal(reason: "is longer than \(Self.longest) bytes")
        }
        guard authorization.prefix(scheme.count).lowercased() == scheme.lowercased() else {
            throw Refusal(reason: "isn't of the scheme Bearer")
        }
        try self.init(String(authorization.dropFirst(scheme.count)))
    }

    private init(_ text: String) throws(Refusal) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Data(base64URL: parts[0]), let payload = Data(base64URL: parts[1]),
            let bytes = Data(base64URL: parts[2])
        else { throw Refusal(reason: "isn't a JWT: three parts in base64url with points between them") }
        guard let header = try? JSONDecoder().decode(Header.self, from: header) else {
            throw Refusal(reason: "has a header without alg, kid and typ")
        }
        guard header.alg == "ES256" else { throw Refusal(reason: "isn't signed with the algorithm ES256") }
        guard header.typ == "JWT" else { throw Refusal(reason: "isn't of the type JWT") }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes) else {
            throw Refusal(reason: "has a signature of \(bytes.count) bytes, and one of ES256 has 64")
        }
        keyIdentifier = header.kid
        self.payload = payload
        signed = Data(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        self.signature = signature
    }

    /// The claims of the payload. Claims of other names are ignored.
    ///
    /// - Throws: ``Refusal``.
    func claims<Claims: Decodable>(_ type: Claims.Type) throws(Refusal) -> Claims {
        do {
            return try JSONDecoder().decode(type, from: payload)
        } catch DecodingError.keyNotFound(let key, _) {
            throw Refusal(reason: "has no claim \"\(key.stringValue)\"")
        } catch {
            throw Refusal(reason: "has a claim of another type")
        }
    }

    func isSigned(by key: P256.Signing.PublicKey) -> Bool { key.isValidSignature(signature, for: signed) }

    /// Checks the times of a token at a moment, in seconds since 1970.
    /// `lifetime` is the longest time between its signature and its end.
    ///
    /// - Throws: ``Refusal``.
    static func check(
        signed iat: Double?, ends exp: Double, lifetime: Double, at moment: WallTime
    ) throws(Refusal) {
        let now = Double(moment.milliseconds) / 1000
        let signed = iat ?? now
        guard signed <= now + tolerance else { throw Refusal(reason: "was signed in the future") }
        guard exp > now else { throw Refusal(reason: "has expired") }
        guard exp - signed <= lifetime else {
            throw Refusal(reason: "is valid for longer than \(Int(lifetime) / 60) minutes")
        }
    }
}
