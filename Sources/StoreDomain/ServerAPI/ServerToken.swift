// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore

/// The token with which a seller's server signs its requests to the App Store
/// Server API: a JWT ("Generating JSON Web Tokens for API requests").
package struct ServerToken: Sendable {
    /// Why a token isn't accepted: the end of a sentence that begins with "The
    /// token". It is written into the log and never sent.
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        package var reason: String

        package var description: String { "The token \(reason)." }
    }

    /// The claims of the payload. Claims of other names have no meaning here.
    struct Claims: Decodable, Hashable, Sendable {
        var iss: String
        /// When it was signed, in seconds since 1970; `nil` in a token of
        /// Apple's library for Python, which leaves it out.
        var iat: Double?
        /// The end of its validity, in seconds since 1970.
        var exp: Double
        var aud: String
        /// The app.
        var bid: String
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
    /// The longest time between a token's signature and its end.
    static let lifetime: Double = 3600
    /// The seconds by which a seller's clock may be ahead of the store's.
    static let tolerance: Double = 60

    var claims: Claims
    /// The identifier of the key that has signed it.
    var keyIdentifier: String
    private var signed: Data
    private var signature: P256.Signing.ECDSASignature

    /// The app whose transactions the token gives access to.
    package var bundleIdentifier: BundleIdentifier { BundleIdentifier(claims.bid) }

    /// Reads a token from the value of the header field `Authorization`, and
    /// verifies nothing.
    ///
    /// - Throws: ``Refusal``.
    package init(authorization: String?) throws(Refusal) {
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
        do {
            claims = try JSONDecoder().decode(Claims.self, from: payload)
        } catch DecodingError.keyNotFound(let key, _) {
            throw Refusal(reason: "has no claim \"\(key.stringValue)\"")
        } catch {
            throw Refusal(reason: "has a claim of another type")
        }
        keyIdentifier = header.kid
        signed = Data(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        self.signature = signature
    }

    /// Decides about the token at a moment. `keys` has those that are, or
    /// were, valid for its app, and `issuer` is the store's; `nil` when the
    /// store has none.
    ///
    /// - Throws: ``Refusal``.
    func check(
        by keys: [InAppPurchaseKey], issuer: String?, in environment: StoreEnvironment, at moment: WallTime
    ) throws(Refusal) {
        // A key of the app's file is named after that of all apps.
        let named = keys.last { $0.identifier == keyIdentifier }
        guard let named, let key = named.verifying else {
            throw Refusal(reason: "names a key that the store doesn't have for this app")
        }
        guard named.bundleIdentifier == nil || environment != .production else {
            throw Refusal(reason: "is of a configuration file's key, which is valid in a sandbox only")
        }
        guard key.isValidSignature(signature, for: signed) else {
            throw Refusal(reason: "isn't signed by the key \(named.identifier)")
        }
        guard named.revoked == nil else {
            throw Refusal(reason: "is of the key \(named.identifier), which was revoked")
        }
        guard let issuer, Data(claims.iss.utf8).equalsInConstantTime(Data(issuer.utf8)) else {
            throw Refusal(reason: "names another issuer: `storectl key list` shows that of the store")
        }
        guard claims.aud == Self.audience else {
            throw Refusal(reason: "is for another audience: use \(Self.audience)")
        }
        try checkTimes(at: Double(moment.milliseconds) / 1000)
    }

    private func checkTimes(at now: Double) throws(Refusal) {
        let signed = claims.iat ?? now
        guard signed <= now + Self.tolerance else { throw Refusal(reason: "was signed in the future") }
        guard claims.exp > now else { throw Refusal(reason: "has expired") }
        guard claims.exp - signed <= Self.lifetime else {
            throw Refusal(reason: "is valid for longer than 60 minutes")
        }
    }
}
