// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Runs the password hashes of a store on all cores, and limits the number of
/// hashes that wait.
///
/// A hash takes tens of milliseconds of a core and 16 MiB. Without a limit,
/// strangers who guess passwords make every customer wait.
package final class PasswordHashing: Sendable {
    /// All stores of the process share the threads, because they share its
    /// cores.
    private static let threads = HashingThreads(count: ProcessInfo.processInfo.activeProcessorCount)

    /// The number of hashes that may wait or run at a time: about a second of
    /// work for two cores in a release build.
    static let places = 32
    /// The additional number for preferred hashes.
    static let preferredPlaces = 16
    /// The number of hashes of one origin that may wait or run, so that one
    /// device can't take all places.
    static let placesOfAnOrigin = 4

    private struct State {
        var taken = 0
        var origins: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let threads: HashingThreads
    /// The work of each new hash.
    let cost: PasswordCost

    /// Makes an instance on the threads that all stores of the process share.
    package init(cost: PasswordCost = PasswordCost()) {
        threads = Self.threads
        self.cost = cost
    }

    /// Makes an instance with threads of its own, for tests.
    init(threads count: Int) {
        threads = HashingThreads(count: count)
        cost = PasswordCost()
    }

    /// The number of places that are taken now.
    var waiting: Int { state.withLock { $0.taken } }

    /// Runs a hash; preferred hashes run before others.
    ///
    /// - Throws: ``DomainError`` `busy` when all places, or those of the
    ///   origin, are taken, or the error of the hash.
    func run(
        from origin: String?, isPreferred: Bool, _ hash: @escaping @Sendable () throws -> Data
    ) async throws -> Data {
        try enter(origin, isPreferred)
        defer { leave(origin) }
        return try await wait(isPreferred, hash)
    }

    /// Runs a hash for an operator, without taking a place.
    ///
    /// - Throws: The error of the hash.
    func run(_ hash: @escaping @Sendable () throws -> Data) async throws -> Data {
        try await wait(false, hash)
    }

    private func wait(_ isPreferred: Bool, _ hash: @escaping @Sendable () throws -> Data) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            threads.add(isPreferred: isPreferred) { continuation.resume(with: Result { try hash() }) }
        }
    }

    private func enter(_ origin: String?, _ isPreferred: Bool) throws {
        let hasEntered = state.withLock { state in
            let ofOrigin = origin.map { state.origins[$0, default: 0] } ?? 0
            let places = Self.places + (isPreferred ? Self.preferredPlaces : 0)
            guard state.taken < places, ofOrigin < Self.placesOfAnOrigin else { return false }
            state.taken += 1
            if let origin { state.origins[origin] = ofOrigin + 1 }
            return true
        }
        guard hasEntered else {
            throw DomainError(.busy, "Too many passwords are being checked: try again in a moment.", retryAfter: 2)
        }
    }

    private func leave(_ origin: String?) {
        state.withLock { state in
            state.taken -= 1
            guard let origin, let count = state.origins[origin] else { return }
            state.origins[origin] = count > 1 ? count - 1 : nil
        }
    }
}
