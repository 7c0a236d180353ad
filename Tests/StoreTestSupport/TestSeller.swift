// SPDX-License-Identifier: Apache-2.0

package import Crypto
import Foundation
package import StoreDomain

/// A seller's server with a key of the store, which makes tokens for the App
/// Store Server API.
package struct TestSeller: Sendable {
    package let key: P256.Signing.PrivateKey
    package let keyIdentifier: String
    package let issuer: String

    /// Registers a new key.
    package init(_ context: StoreContext, keyIdentifier: String = "SELLERSKEY") async throws {
        key = P256.Signing.PrivateKey()
        self.keyIdentifier = keyIdentifier
        let keys = ManagingKeys(context)
        try await keys.register(
            InAppPurchaseKey(
                identifier: keyIdentifier, name: "Server", publicKey: key.publicKey.x963Representation,
                created: context.clock.now()))
        issuer = try await keys.issuer()
    }

    /// A program with a key of a team.
    package init(_ made: ManagingTeamKeys.Made) throws {
        key = try P256.Signing.PrivateKey(pemRepresentation: made.privateKey)
        keyIdentifier = made.key.identifier
        issuer = made.issuer
    }

    /// The value of `Authorization` with a token of a moment, with fields of
    /// its header and its payload replaced; JSON texts, an empty one removes
    /// the field.
    package func authorization(
        at moment: WallTime, header: [String: String] = [:], claims: [String: String] = [:],
        signedBy key: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let seconds = moment.milliseconds / 1000
        let head = ["alg": "\"ES256\"", "kid": "\"\(keyIdentifier)\"", "typ": "\"JWT\""].merging(header) { $1 }
        let payload = [
            "iss": "\"\(issuer)\"", "iat": "\(seconds)", "exp": "\(seconds + 300)", "aud": "\"appstoreconnect-v1\"",
            "bid": "\"\(TestStore.bundleIdentifier)\"",
        ].merging(claims) { $1 }
        let text = "\(Self.part(head)).\(Self.part(payload))"
        let signature = try (key ?? self.key).signature(for: Data(text.utf8)).rawRepresentation
        return "Bearer \(text).\(signature.base64URLText)"
    }

    private static func part(_ fields: [String: String]) -> String {
        let members = fields.filter { !$0.value.isEmpty }.map { "\"\($0.key)\":\($0.value)" }
        return Data("{\(members.sorted().joined(separator: ","))}".utf8).base64URLText
    }
}
