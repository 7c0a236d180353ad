// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import X509

/// The differences between the two chains of an authority.
struct ChainKind: Hashable, Sendable {
    /// The first words of the certificates' names.
    let label: String
    /// The prefix of a certificate's name in an address or a list.
    let prefix: String
    /// The algorithm with which the root and the intermediate certificate
    /// sign.
    let signatureAlgorithm: Certificate.SignatureAlgorithm
    private let isRSA: Bool

    /// RSA-2048 and SHA-256, for PKCS#7 and for transaction receipts.
    static let receipts = ChainKind(
        label: "Receipt", prefix: "", signatureAlgorithm: .sha256WithRSAEncryption, isRSA: true)
    /// P-384 with a P-256 leaf, for JWS.
    static let jws = ChainKind(
        label: "JWS", prefix: "jws-", signatureAlgorithm: .ecdsaWithSHA384, isRSA: false)
    static let all = [receipts, jws]

    func makeAuthorityKey(using random: inout some RandomNumberGenerator) throws -> Certificate.PrivateKey {
        if isRSA { return try .init(_RSA.Signing.PrivateKey(keySize: .bits2048)) }
        return .init(try Self.draw(48, using: &random) { try P384.Signing.PrivateKey(rawRepresentation: $0) })
    }

    func makeLeafKey(using random: inout some RandomNumberGenerator) throws -> Certificate.PrivateKey {
        isRSA ? try makeAuthorityKey(using: &random) : try Self.makeResponderKey(using: &random)
    }

    /// Creates a P-256 key, for the OCSP delegates of both chains and for the
    /// leaves of the chain for JWS. A delegate signs often, and such a key
    /// takes little time to create and to sign with.
    static func makeResponderKey(using random: inout some RandomNumberGenerator) throws -> Certificate.PrivateKey {
        .init(try draw(32, using: &random) { try P256.Signing.PrivateKey(rawRepresentation: $0) })
    }

    /// Draws random numbers until one is a private key: the keys of an
    /// elliptic curve are the positive numbers below the curve's order.
    private static func draw<Key>(
        _ count: Int, using random: inout some RandomNumberGenerator, _ make: ([UInt8]) throws -> Key
    ) throws -> Key {
        var failures = 0
        while true {
            do {
                return try make((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            } catch {
                failures += 1
                if failures == 64 { throw error }
            }
        }
    }
}
