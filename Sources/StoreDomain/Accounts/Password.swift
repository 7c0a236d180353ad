// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import StoreCore

/// The scrypt hash of a password (RFC 7914), as the text
/// `scrypt$N$r$p$salt$hash` with salt and hash in hexadecimal.
struct PasswordHash: Hashable, Sendable {
    var text: String

    init(text: String) {
        self.text = text
    }

    init(_ password: String, salt: Data, by hashing: PasswordHashing) async throws {
        let hash = try await hashing.run { [cost = hashing.cost] in try Self.derive(password, salt, cost) }
        self.init(salt: salt, hash: hash, cost: hashing.cost)
    }

    /// Hashes a password that a customer, or another one for a customer, has chosen. Of an origin only some
    /// hashes wait at a time; a preferred one runs before others.
    ///
    /// - Throws: ``DomainError`` `busy` when too many hashes wait.
    init(_ password: String, salt: Data, by hashing: PasswordHashing, from origin: String, isPreferred: Bool = true)
        async throws
    {
        let hash = try await hashing.run(from: origin, isPreferred: isPreferred) { [cost = hashing.cost] in
            try Self.derive(password, salt, cost)
        }
        self.init(salt: salt, hash: hash, cost: hashing.cost)
    }

    private init(salt: Data, hash: Data, cost: PasswordCost) {
        text = "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(salt.hexadecimal)$\(hash.hexadecimal)"
    }

    /// Whether this is the hash of the password. The time of the comparison
    /// doesn't depend on the position of a difference.
    ///
    /// `origin` names the device that asks. A preferred check runs before
    /// others.
    ///
    /// - Throws: ``DomainError``: `busy` when too many checks wait, `invalid`
    ///   when the stored hash can't be read.
    func matches(
        _ password: String, by hashing: PasswordHashing, from origin: String? = nil, isPreferred: Bool = false
    ) async throws -> Bool {
        let parts = text.split(separator: "$")
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Data(hexadecimal: String(parts[4])),
            let hash = Data(hexadecimal: String(parts[5]))
        else { throw DomainError(.invalid, "The account's password hash can't be read: set the password again.") }
        return try await hashing.run(from: origin, isPreferred: isPreferred) {
            try Self.derive(
                password, salt, PasswordCost(rounds: rounds, blockSize: blockSize, parallelism: parallelism))
        }.equalsInConstantTime(hash)
    }

    /// The hash with which the password for an unknown address is compared,
    /// so that the answer takes as long as for a known one.
    static func ofNobody(by hashing: PasswordHashing) -> PasswordHash {
        PasswordHash(salt: Data(count: 16), hash: Data(count: 32), cost: hashing.cost)
    }

    private static func derive(_ password: String, _ salt: Data, _ cost: PasswordCost) throws -> Data {
        try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: salt, outputByteCount: 32, rounds: cost.rounds,
            blockSize: cost.blockSize, parallelism: cost.parallelism
        ).withUnsafeBytes { Data($0) }
    }
}

extension Data {
    /// SHA-256 in lower-case hexadecimal: the form in which random secrets
    /// are stored, which need no slow hash, and a file's checksum.
    var fingerprint: String {
        Data(SHA256.hash(data: self)).hexadecimal
    }
}
