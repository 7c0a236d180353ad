// SPDX-License-Identifier: Apache-2.0

package import Crypto
package import Foundation

/// A key with which a seller's server signs (an In-App Purchase key of App
/// Store Connect). The store has its public part.
package struct InAppPurchaseKey: Hashable, Sendable {
    /// Ten capital letters and digits; the key of a configuration file has the
    /// identifier of the file.
    package var identifier: String
    /// The app that it is valid for; `nil` for all apps.
    package var bundleIdentifier: BundleIdentifier?
    /// The seller's own name for it.
    package var name: String
    /// The public key as X9.63 writes it, uncompressed: 65 bytes.
    package var publicKey: Data
    package var created: WallTime
    /// When it was revoked; `nil` while it is valid.
    package var revoked: WallTime?
    /// The issuer of the tokens of a team's key; `nil` for a key of the store,
    /// whose tokens name the store's.
    package var issuer: String?

    package init(
        identifier: String, bundleIdentifier: BundleIdentifier? = nil, name: String, publicKey: Data,
        created: WallTime, revoked: WallTime? = nil, issuer: String? = nil
    ) {
        self.identifier = identifier
        self.bundleIdentifier = bundleIdentifier
        self.name = name
        self.publicKey = publicKey
        self.created = created
        self.revoked = revoked
        self.issuer = issuer
    }

    /// The key that verifies signatures; `nil` for bytes that are none.
    package var verifying: P256.Signing.PublicKey? { try? P256.Signing.PublicKey(x963Representation: publicKey) }

    /// A new key: its identifier, the private part in PEM (PKCS #8, a `.p8`
    /// file), and the public one.
    package struct Pair: Sendable {
        package let identifier: String
        package let privateKey: String
        package let publicKey: Data

        /// Draws a key.
        package init(_ random: RandomSource) throws {
            let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
            identifier = String(random.bytes(10).map { letters[Int($0) % letters.count] })
            // A number that is no private key is improbable: one of 2^32.
            var key: P256.Signing.PrivateKey?
            while key == nil { key = try? P256.Signing.PrivateKey(rawRepresentation: random.bytes(32)) }
            guard let key else { throw DomainError(.invalid, "No key could be drawn.") }
            privateKey = key.pemRepresentation + "\n"
            publicKey = key.publicKey.x963Representation
        }
    }

    /// Checks a key before it is saved.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    func check() throws {
        guard (1...64).contains(identifier.utf8.count),
            identifier.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw DomainError(.invalid, "A key's identifier has 1 to 64 printable characters of ASCII.") }
        guard (1...200).contains(name.utf8.count) else {
            throw DomainError(.invalid, "A key's name has 1 to 200 bytes.")
        }
        guard verifying != nil else {
            throw DomainError(.invalid, "A key is a public key of the curve P-256, 65 bytes in the form of X9.63.")
        }
    }
}
