// SPDX-License-Identifier: Apache-2.0

/// How much work a password's hash is: the parameters of scrypt (RFC 7914,
/// section 2). They are stored with each hash, so that a store checks older
/// hashes after a change.
package struct PasswordCost: Hashable, Sendable {
    /// N, a power of two: the time and the memory grow with it.
    var rounds: Int
    /// r, in units of 128 bytes.
    var blockSize: Int
    /// p.
    var parallelism: Int

    /// Without arguments these are the interactive parameters of the scrypt
    /// paper, which every store has: a hash takes 16 MiB and some tens of
    /// milliseconds. Only tests have fewer rounds, because most of their time
    /// would be that of hashes.
    package init(rounds: Int = 16384, blockSize: Int = 8, parallelism: Int = 1) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}
