// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore

/// The token with which a seller's server signs its requests to the App Store
/// Server API: a JWT ("Generating JSON Web Tokens for API requests").
package struct ServerToken: Sendable {
    /// It is written into the log and never sent.
    package typealias Refusal = JSONWebToken.Refusal

    /// The claims of the payload.
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

    /// The longest time between a token's signature and its end.
    static let lifetime: Double = 3600

    var claims: Claims
    private var token: JSONWebToken

    /// The app whose transactions the token gives access to.
    package var bundleIdentifier: BundleIdentifier { BundleIdentifier(claims.bid) }

    /// The identifier of the key that it names.
    var keyIdentifier: String { token.keyIdentifier }

    /// Reads a token from the value of the header field `Authorization`, and
    /// verifies nothing.
    ///
    /// - Throws: ``Refusal``.
    package init(authorization: String?) throws(Refusal) {
        token = try JSONWebToken(authorization: authorization)
        claims = try token.claims(Claims.self)
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
        let named = keys.last { $0.identifier == token.keyIdentifier }
        guard let named, let key = named.verifying else {
            throw Refusal(reason: "names a key that the store doesn't have for this app")
        }
        guard named.bundleIdentifier == nil || environment != .production else {
            throw Refusal(reason: "is of a configuration file's key, which is valid in a sandbox only")
        }
        guard token.isSigned(by: key) else {
            throw Refusal(reason: "isn't signed by the key \(named.identifier)")
        }
        guard named.revoked == nil else {
            throw Refusal(reason: "is of the key \(named.identifier), which was revoked")
        }
        guard let issuer = named.issuer ?? issuer,
            Data(claims.iss.utf8).equalsInConstantTime(Data(issuer.utf8))
        else {
            throw Refusal(
                reason: "names another issuer: `storectl key list` shows that of the store, and the page Keys of "
                    + "Connect that of a team")
        }
        guard claims.aud == JSONWebToken.audience else {
            throw Refusal(reason: "is for another audience: use \(JSONWebToken.audience)")
        }
        try JSONWebToken.check(signed: claims.iat, ends: claims.exp, lifetime: Self.lifetime, at: moment)
    }
}
