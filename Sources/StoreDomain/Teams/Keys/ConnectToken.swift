// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore

/// The token with which a program signs its requests to Connect's API: a JWT
/// as App Store Connect's API has it ("Generating tokens for API requests").
package struct ConnectToken: Sendable {
    package typealias Refusal = JSONWebToken.Refusal

    /// The claims of the payload.
    struct Claims: Decodable, Hashable, Sendable {
        var iss: String
        /// When it was signed, in seconds since 1970; `nil` when the token
        /// doesn't have it.
        var iat: Double?
        /// The end of its validity, in seconds since 1970.
        var exp: Double
        var aud: String
        /// The only requests that it is for, such as `GET /connect/v1/apps`;
        /// `nil` for all.
        var scope: [String]?
    }

    /// The longest time between a token's signature and its end.
    static let lifetime: Double = 20 * 60

    private var claims: Claims
    private var token: JSONWebToken

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

    /// Decides about the token at a moment. `key` is the one that it names,
    /// `issuer` its team's, and `request` the method and the path, such as
    /// `GET /connect/v1/apps`.
    ///
    /// - Throws: ``Refusal``.
    func check(
        by key: TeamKey?, issuer: String?, for request: String, at moment: WallTime
    ) throws(Refusal) -> TeamUser {
        guard let key, let verifying = key.verifying else {
            throw Refusal(reason: "names a key that Connect doesn't have: the page Keys shows a team's keys")
        }
        guard token.isSigned(by: verifying) else { throw Refusal(reason: "isn't signed by the key that it names") }
        guard key.revoked == nil else { throw Refusal(reason: "is of a key that was revoked") }
        guard let user = key.actor else {
            throw Refusal(reason: "is of a key for In-App Purchases: make one for Connect's API")
        }
        guard let issuer, Data(claims.iss.utf8).equalsInConstantTime(Data(issuer.utf8)) else {
            throw Refusal(reason: "names another issuer than the team's, which the page Keys shows")
        }
        guard claims.aud == JSONWebToken.audience else {
            throw Refusal(reason: "is for another audience: use \(JSONWebToken.audience)")
        }
        try JSONWebToken.check(signed: claims.iat, ends: claims.exp, lifetime: Self.lifetime, at: moment)
        guard claims.scope?.contains(request) ?? true else {
            throw Refusal(reason: "isn't for \(request): its scope names other requests")
        }
        return user
    }
}
