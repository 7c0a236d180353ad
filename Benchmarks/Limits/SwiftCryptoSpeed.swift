// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation

/// Measures bare signatures of the library that this project signs and
/// verifies with, over as many octets as a receipt's contents have. They show
/// the cost of the signature itself, which may differ from OpenSSL's.
enum SwiftCryptoSpeed {
    private static let octets = Data(repeating: 1, count: 512)

    /// Signatures with an RSA key of 2048 bits.
    static func signingRSA() throws -> Side {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        return Side("signatures", operations: 1500) {
            for _ in 0..<1500 { _ = try key.signature(for: octets, padding: .insecurePKCS1v1_5) }
        }
    }

    /// Verifications with an RSA key of 2048 bits.
    static func verifyingRSA() throws -> Side {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let signature = try key.signature(for: octets, padding: .insecurePKCS1v1_5)
        let publicKey = key.publicKey
        return verifying(10_000) { publicKey.isValidSignature(signature, for: octets, padding: .insecurePKCS1v1_5) }
    }

    /// Verifications with a key on P-256.
    static func verifyingP256() throws -> Side {
        let key = P256.Signing.PrivateKey()
        let signature = try key.signature(for: octets)
        let publicKey = key.publicKey
        return verifying(3000) { publicKey.isValidSignature(signature, for: octets) }
    }

    /// Hashes of a password by scrypt, with the parameters of the store, on all
    /// cores.
    static func hashingPasswords(times: Int) -> Side {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return Side("hashes", operations: cores * times) {
            try await onThreads(cores) { _ in
                for _ in 0..<times {
                    _ = try KDF.Scrypt.deriveKey(
                        from: Data("correct horse".utf8), salt: octets.prefix(16), outputByteCount: 32, rounds: 16384,
                        blockSize: 8, parallelism: 1)
                }
            }
        }
    }

    private static func verifying(_ times: Int, _ isValid: @escaping () -> Bool) -> Side {
        Side("verifications", operations: times) {
            for _ in 0..<times where !isValid() { throw BenchmarkFailure("A bare signature isn't valid.") }
        }
    }
}
