// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation

/// A password, kept as its scrypt with a salt of its own.
struct Password: Codable, Sendable {
    private var salt: Data
    private var hash: Data

    init(_ text: String) async throws {
        salt = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        hash = try await Self.derive(text, salt).withUnsafeBytes { Data($0) }
    }

    /// Compares in constant time.
    func matches(_ text: String) async throws -> Bool { try await Self.derive(text, salt) == SymmetricKey(data: hash) }

    /// Scrypt takes 16 MiB and tens of milliseconds. On this queue it delays no
    /// other request, and many attempts use the memory of one.
    private static let queue = DispatchQueue(label: "FlowerGardenServer.Password")

    private static func derive(_ text: String, _ salt: Data) async throws -> SymmetricKey {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result {
                        try KDF.Scrypt.deriveKey(
                            from: Data(text.utf8), salt: salt, outputByteCount: 32, rounds: 1 << 14, blockSize: 8,
                            parallelism: 1)
                    })
            }
        }
    }
}
