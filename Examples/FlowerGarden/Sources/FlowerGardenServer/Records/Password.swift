// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation

/// A password, kept as its scrypt with a salt of its own.
struct Password: Codable, Sendable {
    private var salt: Data
    private var hash: Data

    init(_ text: String) throws {
        salt = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        hash = try Self.derive(text, salt).withUnsafeBytes { Data($0) }
    }

    /// Compares in constant time.
    func matches(_ text: String) throws -> Bool { try Self.derive(text, salt) == SymmetricKey(data: hash) }

    private static func derive(_ text: String, _ salt: Data) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: Data(text.utf8), salt: salt, outputByteCount: 32, rounds: 1 << 14, blockSize: 8, parallelism: 1)
    }
}
