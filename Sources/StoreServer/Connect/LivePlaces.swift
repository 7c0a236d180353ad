// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import Synchronization

/// The open streams of the live page, of which a user, a team and a process
/// have a limited number.
final class LivePlaces: Sendable {
    /// The streams of a user. A browser shares them among its tabs.
    static let ofAUser = 4
    /// The streams of a team.
    static let ofATeam = 12
    /// The streams of a process.
    static let all = 40

    /// An open stream.
    final class Place: Sendable {
        let user: TeamUserIdentifier
        let team: TeamIdentifier
        private let ended = Mutex(false)

        init(_ user: TeamUser) {
            (self.user, team) = (user.identifier, user.team)
        }

        var isEnded: Bool { ended.withLock(\.self) }
        func end() { ended.withLock { $0 = true } }
    }

    /// A stream is open for as long as its response has the place: a response
    /// that is never written, because the client has left, frees it too.
    private struct Opened {
        weak var place: Place?
    }

    private let open = Mutex<[Opened]>([])

    /// The number of open streams.
    var count: Int { open.withLock { open in open.count { $0.place != nil } } }

    /// Takes a place. The oldest stream of a user who has too many ends.
    ///
    /// - Throws: `StoreFailure` `unavailable` when the team or the process has
    ///   too many.
    func take(by user: TeamUser) throws -> Place {
        let place = Place(user)
        let oldest = try open.withLock { open -> Place? in
            let places = open.compactMap(\.place)
            let own = places.filter { $0.user == user.identifier }
            let oldest = own.count >= Self.ofAUser ? own.first : nil
            open = places.filter { $0 !== oldest }.map(Opened.init)
            let ofTeam = open.count { $0.place?.team == user.team }
            guard open.count < Self.all, ofTeam < Self.ofATeam else {
                throw StoreFailure(.unavailable, "The store has no room for another live page.", retryAfter: 10)
            }
            open.append(Opened(place: place))
            return oldest
        }
        oldest?.end()
        return place
    }

    func free(_ place: Place) {
        place.end()
        open.withLock { open in open.removeAll { $0.place === place } }
    }
}
