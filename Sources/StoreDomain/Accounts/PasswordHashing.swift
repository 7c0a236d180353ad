// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Runs the password hashes of a store on all cores, with a bounded number
/// that wait.
///
/// A hash takes tens of milliseconds of a core and 16 MiB. Without a bound,
/// strangers who guess passwords make every customer wait behind them.
package final class PasswordHashing: Sendable {
    /// One for the process, because the cores are the process's.
    private static let threads = HashingThreads(count: ProcessInfo.processInfo.activeProcessorCount)

    /// How many may wait or run at a time: about a second of work for two cores
    /// in a release build.
    static let places = 32
    /// So many places more are for preferred ones.
    static let preferredPlaces = 16
    /// How many of them may come from one origin, so that a device doesn't
    /// take the places of the others.
    static let placesOfAnOrigin = 4

    private struct State {
        var taken = 0
        var origins: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let threads: HashingThreads

    /// Shares all cores with the process's other stores.
    package init() {
        threads = Self.threads
    }

    /// Has threads of its own, for tests.
    init(threads count: Int) {
        threads = HashingThreads(count: count)
    }

    /// How many wait or run now.
    var waiting: Int { state.withLock { $0.taken } }

    /// Runs a hash, a preferred one before those that aren't.
    ///
    /// - Throws: ``DomainError`` `busy` when all places are taken, and what
    ///   the hash throws.
    func run(
        from origin: String?, isPreferred: Bool, _ hash: @escaping @Sendable () throws -> Data
    ) async throws -> Data {
        try enter(origin, isPreferred)
        defer { leave(origin) }
        return try await wait(isPreferred, hash)
    }

    /// Runs a hash that an operator asks for: it takes no place.
    ///
    /// - Throws: What the hash throws.
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
