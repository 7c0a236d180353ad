// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The shares of teams in work that is done at a time.
struct TeamPlacesTests {
    private static let full = StoreFailure(.throttled, "full")

    private func user(_ name: String, of team: String) -> TeamUser {
        TeamUser(
            identifier: TeamUserIdentifier(name), team: TeamIdentifier(team), email: "\(name)@example.com", name: name,
            role: .admin, joined: WallTime(milliseconds: 0))
    }

    @Test("A team that has filled its share leaves another team its own, and a user leaves the team's others theirs")
    func shares() async throws {
        let places = TeamPlaces(6, ofATeam: 3, ofAUser: 2, Self.full)
        let (anna, berta) = (user("anna", of: "a"), user("berta", of: "a"))
        let other = user("other", of: "b")
        func refused(_ user: TeamUser) async {
            await #expect(throws: Self.full) { try await places.withPlace(of: user) {} }
        }
        let answer = try await places.withPlace(of: anna) {
            try await places.withPlace(of: anna) {
                await refused(anna)
                return try await places.withPlace(of: berta) {
                    await refused(berta)
                    return try await places.withPlace(of: other) { true }
                }
            }
        }
        #expect(answer)
        // The places are free again, also after an error.
        for _ in 0..<3 {
            await #expect(throws: CancellationError.self) {
                try await places.withPlace(of: anna) { throw CancellationError() }
            }
        }
        try await places.withPlace(of: anna) { try await places.withPlace(of: anna) {} }
    }

    @Test("A request whose body hasn't arrived has no place, and one that takes it twice has one")
    func later() async throws {
        let places = TeamPlaces(1, ofATeam: 1, Self.full)
        let (slow, other) = (user("anna", of: "a"), user("berta", of: "b"))
        let place = TeamPlaces.Later(places, slow)
        _ = try await places.withPlace(of: other) { #expect(throws: Self.full) { try place.take() } }
        for _ in 0..<2 { try place.take() }
        await #expect(throws: Self.full) { try await places.withPlace(of: other) {} }
        for _ in 0..<2 { place.giveBack() }
        try await places.withPlace(of: other) {}
    }

    @Test("All teams together have no more places than there are")
    func total() async throws {
        let places = TeamPlaces(2, ofATeam: 2, Self.full)
        let (one, other) = (user("anna", of: "a"), user("berta", of: "b"))
        try await places.withPlace(of: one) {
            _ = try await places.withPlace(of: one) {
                await #expect(throws: Self.full) { try await places.withPlace(of: other) {} }
            }
        }
    }
}
