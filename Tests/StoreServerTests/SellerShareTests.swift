// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreMeasurement
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The shares of teams in the requests of sellers' servers and in the live
/// page's streams.
struct SellerShareTests {
    @Test("The apps of a team together have a rate", arguments: [Engine.sqliteMemory])
    func rate(engine: Engine) async throws {
        try await engine.withStore { store in
            var configuration = ServerConfiguration(host: "localhost", port: 0)
            configuration.limits.serverRequestsPerSecond = 1
            try await store.withHTTP(configuration) { client in
                let seller = try await ServerSeller(store, client)
                func refusal(_ app: String) async throws -> String {
                    try await seller.refusal("v1/transactions/1", claims: ["bid": "\"\(app)\""])
                }
                for app in ["com.example.a", "com.example.b"] {
                    for _ in 0..<2 { #expect(try await refusal(app) == "404 4040010") }
                }
                #expect(try await refusal("com.example.c") == "429 4290000")
            }
        }
    }

    @Test("A team's servers have places: one beyond them gets 429, and another team's is answered")
    func places() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let limits = RequestLimits()
            let router = StoreRouter()
            ServerRoutes(service: store.service, limits: limits).add(to: router)
            try await Application(router: router, logger: .silent).test(.router) { client in
                let seller = try await ServerSeller(store, client)
                @Sendable func taken(_ team: TeamIdentifier) throws -> [TeamPlaces.Later] {
                    try (0..<RequestLimits.answeredServersOfATeam).map { _ in
                        let place = TeamPlaces.Later(limits.serverPlaces, of: team)
                        try place.take()
                        return place
                    }
                }
                let others = try taken("other")
                #expect(try await seller.refusal("v1/transactions/1") == "404 4040010")
                let own = try taken(Team.ofTheStore)
                for (path, body) in [("v1/transactions/1", ""), ("v1/notifications/history", "{}")] {
                    #expect(try await seller.refusal(path, body.isEmpty ? .get : .post, body) == "429 4290000")
                }
                for place in own { place.giveBack() }
                #expect(try await seller.refusal("v1/transactions/1") == "404 4040010")
                for place in others { place.giveBack() }
            }
        }
    }

    @Test("A stream of the live page has a place before it reads, and reads nothing while it waits for one")
    func stream() async throws {
        try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database)
            let store = try await TestStore(recorder)
            let limits = RequestLimits()
            let router = StoreRouter()
            let pages = try ConsolePages(CommonPages())
            LiveStream(
                service: store.service, pages: pages,
                authentication: ConnectAuthentication(service: store.service, limits: limits)
            ).add(to: router)
            let holder = try await store.setUpTeam()
            @Sendable func fill() throws -> [TeamPlaces.Later] {
                try (0..<RequestLimits.answeredOfATeam).map { _ in
                    let place = TeamPlaces.Later(limits.connectPlaces, of: holder.team)
                    try place.take()
                    return place
                }
            }
            try await Application(router: router, logger: .silent).test(.router) { client in
                let token = try await store.service.teamSessions(for: holder)
                @Sendable func stream() async throws -> TestResponse {
                    try await client.get(
                        "/connect/live/stream", headers: [.cookie: "__Host-connect_session=\(token)"])
                }
                let full = try fill()
                #expect(try await stream().status == .tooManyRequests)
                for place in full { place.giveBack() }

                async let response = stream()
                try await until { store.clock.sleepers == 1 }
                _ = try await store.addDevice().ask("juice", request: "1")
                let busy = try fill()
                let read = try await recorder.transactions {
                    store.clock.advance(by: LiveStream.pause)
                    try await until { store.clock.sleepers == 1 }
                }
                #expect(read.isEmpty)
                for place in busy { place.giveBack() }
                store.clock.advance(by: LiveStream.pause)
                try await until { store.clock.sleepers == 1 }
                try await store.service.teamSessions.close(token)
                store.clock.advance(by: LiveStream.pause)
                let events = try await response.text.components(separatedBy: "\n\n").filter { $0.hasPrefix("data: ") }
                #expect(events.count == 2 && events.last?.contains("juice") == true)
            }
        }
    }
}
