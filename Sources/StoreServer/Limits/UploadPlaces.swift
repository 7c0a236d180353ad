// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import Synchronization

/// Limits the packages of hosted content that arrive at a time: of all teams,
/// and of each.
final class UploadPlaces: Sendable {
    private let limit: Int
    private let limitOfATeam: Int
    private let taken = Mutex<[TeamIdentifier: Int]>([:])

    init(_ limits: ServerLimits) {
        limit = limits.uploads
        limitOfATeam = limits.uploadsOfATeam
    }

    /// Runs a closure while it has a place.
    ///
    /// - Throws: The closure's error; `StoreFailure` `unavailable` without a
    ///   place.
    func withPlace<T>(of team: TeamIdentifier, _ body: () async throws -> T) async throws -> T {
        let isFree = taken.withLock { taken in
            guard taken.values.reduce(0, +) < limit, taken[team, default: 0] < limitOfATeam else { return false }
            taken[team, default: 0] += 1
            return true
        }
        guard isFree else {
            throw StoreFailure(
                .unavailable, "Too many packages are being uploaded: try again when one is complete.", retryAfter: 30)
        }
        defer {
            taken.withLock { taken in
                let count = taken[team, default: 0] - 1
                taken[team] = count > 0 ? count : nil
            }
        }
        return try await body()
    }
}
