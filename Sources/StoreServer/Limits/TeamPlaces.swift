// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import Synchronization

/// Limits the work that is done at a time for sellers: for all teams, for each team, and for each of its users. A team that fills
/// its share leaves the others theirs.
final class TeamPlaces: Sendable {
    private struct Taken {
        var all = 0
        var byTeam: [TeamIdentifier: Int] = [:]
        var byUser: [TeamUserIdentifier: Int] = [:]
    }

    private let limit: Int
    private let limitOfATeam: Int
    private let limitOfAUser: Int
    private let failure: StoreFailure
    private let taken = Mutex(Taken())

    /// `failure` is thrown without a place. Without a limit of a user, each may take the team's.
    init(_ limit: Int, ofATeam: Int, ofAUser: Int? = nil, _ failure: StoreFailure) {
        self.limit = limit
        limitOfATeam = ofATeam
        limitOfAUser = ofAUser ?? ofATeam
        self.failure = failure
    }

    /// Runs a closure while it has a place.
    ///
    /// - Throws: The closure's error, and the failure of ``init(_:ofATeam:ofAUser:_:)``.
    func withPlace<T>(of user: TeamUser, _ body: () async throws -> T) async throws -> T {
        try take(of: user)
        defer { giveBack(of: user) }
        return try await body()
    }

    fileprivate func take(of user: TeamUser) throws {
        let isFree = taken.withLock { taken in
            guard taken.all < limit, taken.byTeam[user.team, default: 0] < limitOfATeam,
                taken.byUser[user.identifier, default: 0] < limitOfAUser
            else { return false }
            taken.all += 1
            taken.byTeam[user.team, default: 0] += 1
            taken.byUser[user.identifier, default: 0] += 1
            return true
        }
        guard isFree else { throw failure }
    }

    fileprivate func giveBack(of user: TeamUser) {
        taken.withLock { taken in
            taken.all -= 1
            taken.byTeam.decrease(user.team)
            taken.byUser.decrease(user.identifier)
        }
    }

    /// The place of a request that is taken once its body has arrived: a slow sender takes nothing from the others.
    final class Later: Sendable {
        /// That of the request of this task.
        @TaskLocal static var ofRequest: Later?

        private let places: TeamPlaces
        private let user: TeamUser
        private let isTaken = Mutex(false)

        init(_ places: TeamPlaces, _ user: TeamUser) {
            self.places = places
            self.user = user
        }

        /// - Throws: The failure of ``TeamPlaces/init(_:ofATeam:ofAUser:_:)``.
        func take() throws {
            try isTaken.withLock { isTaken in
                guard !isTaken else { return }
                try places.take(of: user)
                isTaken = true
            }
        }

        func giveBack() {
            isTaken.withLock { isTaken in
                if isTaken { places.giveBack(of: user) }
                isTaken = false
            }
        }
    }
}

extension [TeamIdentifier: Int] {
    fileprivate mutating func decrease(_ key: Key) { self[key] = self[key].flatMap { $0 > 1 ? $0 - 1 : nil } }
}

extension [TeamUserIdentifier: Int] {
    fileprivate mutating func decrease(_ key: Key) { self[key] = self[key].flatMap { $0 > 1 ? $0 - 1 : nil } }
}
