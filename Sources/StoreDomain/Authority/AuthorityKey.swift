// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore

/// The operator's key, with which the private keys of an authority are
/// encrypted in the rows of a database: AES-256-GCM with a random nonce. The
/// name of a certificate is authenticated with its private key, so that two
/// rows can't be exchanged. The store's secrets are encrypted in the same way.
package struct AuthorityKey: Sendable {
    private let encryption: SymmetricKey
    /// Identifies the key, and says nothing about it. It is stored, so that a
    /// wrong key is recognized.
    package let identifier: String

    private static let length = 32

    /// A key of 32 bytes, as 64 hexadecimal digits or in base64, perhaps with
    /// space around it; `nil` for any other text.
    package init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let padded = text.count == 43 ? text + "=" : text
        guard let bytes = Data(hexadecimal: text) ?? Data(base64Encoded: padded),
            bytes.count == Self.length
        else { return nil }
        let key = SymmetricKey(data: bytes)
        func derive(_ purpose: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Data("OpenStoreKit authority \(purpose)".utf8), outputByteCount: count)
        }
        encryption = derive("encryption", Self.length)
        identifier = derive("identifier", 8).withUnsafeBytes { Data($0) }.hexadecimal
    }

    /// Encrypts the private key of a certificate, or another secret with a
    /// name. The result contains the nonce, which is 12 random bytes.
    func encrypt(_ secret: String, of name: String, nonce: Data) throws -> Data {
        let box = try AES.GCM.seal(
            Data(secret.utf8), using: encryption, nonce: AES.GCM.Nonce(data: nonce),
            authenticating: Data(name.utf8))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return combined
    }

    /// Decrypts a secret.
    ///
    /// - Throws: `CryptoKitError` when it isn't encrypted with this key for
    ///   this name.
    func decrypt(_ encrypted: Data, of name: String) throws -> String {
        let box = try AES.GCM.SealedBox(combined: encrypted)
        return String(
            decoding: try AES.GCM.open(box, using: encryption, authenticating: Data(name.utf8)), as: UTF8.self)
    }
}

extension AuthorityKey: CustomStringConvertible, CustomReflectable {
    /// The identifier. Neither this nor the mirror contains the key.
    package var description: String { "key \(identifier)" }

    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The protection of private keys in the rows of a database.
package enum AuthorityProtection: Sendable {
    /// None: a person who reads the database can sign receipts.
    case plain
    /// Encryption with the operator's key.
    case encrypted(AuthorityKey)

    /// The column `encrypted_with`.
    var identifier: String? {
        switch self {
        case .plain: nil
        case .encrypted(let key): key.identifier
        }
    }

    /// Checks that this is the protection of stored private keys.
    ///
    /// - Throws: ``DomainError`` `authority`, which names the remedy.
    func check(against stored: String?) throws {
        guard stored != identifier else { return }
        switch (self, stored) {
        case (.plain, _):
            throw DomainError(
                .authority,
                """
                The private keys in the database are encrypted. Give the key that they were encrypted with: \
                \(Self.remedy). Nothing was changed.
                """)
        case (.encrypted, nil):
            throw DomainError(
                .authority,
                """
                The private keys in the database aren't encrypted, and a key was given. Encrypt them with storectl \
                authority encrypt, or give --plain-authority instead of the key. Nothing was changed.
                """)
        case (.encrypted, _):
            throw DomainError(
                .authority,
                """
                The private keys in the database are encrypted with another key. Give the key that they were \
                encrypted with: \(Self.remedy). Nothing was changed.
                """)
        }
    }

    /// The error for a database whose operator has chosen no protection.
    package static var missing: DomainError {
        DomainError(
            .authority,
            """
            The store's private keys are kept in its database, encrypted with a key that you give: \(remedy). Make one \
            with openssl rand -hex 32, and give the same to all nodes. To keep them unencrypted, give --plain-authority.
            """)
    }

    private static let remedy = "64 hexadecimal digits in OPENSTOREKIT_AUTHORITY_KEY, or a file with --authority-key"

    /// The value of a row for a private key or another secret.
    func store(_ secret: String, of name: String, random: RandomSource) throws -> Data {
        switch self {
        case .plain: Data(secret.utf8)
        case .encrypted(let key): try key.encrypt(secret, of: name, nonce: random.bytes(12))
        }
    }

    /// The private key or the other secret in a row.
    ///
    /// - Throws: ``DomainError`` `authority` when the row is damaged.
    func read(_ stored: Data, of name: String) throws -> String {
        switch self {
        case .plain: return String(decoding: stored, as: UTF8.self)
        case .encrypted(let key):
            do {
                return try key.decrypt(stored, of: name)
            } catch {
                throw DomainError(
                    .authority, "The secret \"\(name)\" in the database is damaged: restore a backup.")
            }
        }
    }
}
