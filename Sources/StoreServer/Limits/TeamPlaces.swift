// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import Synchronization

/// Limits the work that is done at a time for sellers: for all teams, for each team, and for each of its users. A team that fills
/// its share leaves the others theirs. The servers of a team have no user.
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
        try take(of: user.team, user.identifier)
        defer { giveBack(of: user.team, user.identifier) }
        return try await body()
    }

    fileprivate func take(of team: TeamIdentifier, _ user: TeamUserIdentifier?) throws {
        let isFree = taken.withLock { taken in
            guard taken.all < limit, taken.byTeam[team, default: 0] < limitOfATeam,
                user.map({ taken.byUser[$0, default: 0] < limitOfAUser }) ?? true
            else { return false }
            taken.all += 1
            taken.byTeam[team, default: 0] += 1
            if let user { taken.byUser[user, default: 0] += 1 }
            return true
        }
        guard isFree else { throw failure }
    }

    fileprivate func giveBack(of team: TeamIdentifier, _ user: TeamUserIdentifier?) {
        taken.withLock { taken in
            taken.all -= 1
            taken.byTeam.decrease(team)
            if let user { taken.byUser.decrease(user) }
        }
    }

    /// The place of a request that is taken once its body has arrived: a slow sender takes nothing from the others.
    final class Later: Sendable {
        /// That of the request of this task.
        @TaskLocal static var ofRequest: Later?

        private let places: TeamPlaces
        private let team: TeamIdentifier
        private let user: TeamUserIdentifier?
        private let isTaken = Mutex(false)

        init(_ places: TeamPlaces, _ user: TeamUser) {
            (self.places, team, self.user) = (places, user.team, user.identifier)
        }

        /// That of a request of a team's server.
        init(_ places: TeamPlaces, of team: TeamIdentifier) {
            (self.places, self.team, user) = (places, team, nil)
        }

        /// - Throws: The failure of ``TeamPlaces/init(_:ofATeam:ofAUser:_:)``.
        func take() throws {
            try isTaken.withLock { isTaken in
                guard !isTaken else { return }
                try places.take(of: team, user)
                isTaken = true
            }
        }

        func giveBack() {
            isTaken.withLock { isTaken in
                if isTaken { places.giveBack(of: team, user) }
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
