// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The live page and its stream.
struct ConnectLiveTests {
    @Test("The page has the newest entries without a script, in three languages", arguments: ["en", "de", "fr"])
    func page(language: String) async throws {
        try await Engine.sqliteMemory.withHTTP(notifications: RecordedNotifications()) { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let words = LiveWords.words(try #require(PageLanguage(rawValue: language)))
            let empty = try await browser.get("/connect/live").text
            #expect(empty.contains(words.lead) && empty.contains("data-stream=\"/connect/live/stream\""))
            let (anna, phone, apple) = try await store.buyWithNotification()
            _ = try await phone.ask("juice", request: "2")
            let page = try await browser.get("/connect/live").text
            for text in [
                "/connect/transactions/\(apple)", anna.email, words.unfinished, words.onSheet, words.notification,
                "ONE_TIME_CHARGE", "SUCCESS",
            ] { #expect(page.contains(text), "\(text)") }
            #expect(page.utf8.count < 80_000)
            let other = try await browser.get("/connect/live?q=berta@example.com").text
            #expect(!other.contains("/connect/transactions/\(apple)"))
            #expect(other.contains("data-stream=\"/connect/live/stream?q=berta%40example.com\""))
        }
    }

    @Test("A stream sends the list, each change of it, and ends with the session", arguments: Engine.stores)
    func stream(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let token = try await store.service.teamSessions(for: holder)
            let cookie = "__Host-connect_session=\(token)"
            async let response = client.get("/connect/live/stream", headers: [.cookie: cookie])
            // The stream has sent the first list, and waits for the next read.
            try await until { store.clock.sleepers == 1 }
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await phone.buy("apple", request: "1", as: anna)
            store.clock.advance(by: LiveStream.pause)
            try await until { store.clock.sleepers == 1 }
            try await store.service.teamSessions.close(token)
            store.clock.advance(by: LiveStream.pause)
            let answer = try await response
            #expect(answer.status == .ok && answer.headers[.contentType] == "text/event-stream")
            let events = answer.text.components(separatedBy: "\n\n").filter { $0.hasPrefix("data: ") }
            #expect(events.count == 2 && events.last?.contains("apple") == true)
            #expect(events.first?.contains("apple") == false && !answer.text.contains("<script"))
        }
    }

    @Test("A stream needs a user who may see it, and answers no page", arguments: TeamRole.allCases)
    func roles(role: TeamRole) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            #expect(try await client.get("/connect/live/stream").status == .forbidden)
            let holder = try await store.setUpTeam()
            guard !role.may(.seeTesters) else { return }
            let browser = try await ConnectBrowser(client, try await store.addUser(role, to: holder), store)
            #expect(try await browser.get("/connect/live/stream").status == .forbidden)
            let own = try await ConnectBrowser(client, holder, store)
            #expect(try await own.get("/connect/live/stream?app=com.example.other").status == .notFound)
        }
    }

    @Test("A user has four streams, of which a fifth ends the oldest, and a process has forty")
    func places() throws {
        let places = LivePlaces()
        let own = try (0..<5).map { _ in try places.take(by: "1") }
        #expect(own.map(\.isEnded) == [true, false, false, false, false] && places.count == 4)
        let others = try (0..<(LivePlaces.all - 4)).map { try places.take(by: TeamUserIdentifier("user \($0)")) }
        #expect(throws: StoreFailure.self) { try places.take(by: "other") }
        // A user with four gets a new one by ending an old one.
        let next = try places.take(by: "1")
        #expect(places.count == LivePlaces.all && own[1].isEnded)
        places.free(next)
        let other = try places.take(by: "other")
        #expect(places.count == LivePlaces.all)
        withExtendedLifetime((own, others, other)) {}
    }

    @Test("A stream whose response is never written has no place")
    func unwritten() throws {
        let places = LivePlaces()
        for _ in 0...LivePlaces.all { _ = try places.take(by: "1") }
        #expect(places.count == 0)
    }

    @Test("Each line of an event's text is data")
    func lines() {
        #expect(LiveStream.event("a\nb\n") == "data: a\ndata: b\ndata: \n\n")
    }
}
