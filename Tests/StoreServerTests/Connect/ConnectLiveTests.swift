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
    private static func products(_ identifiers: String...) -> ProductsCall {
        ProductsCall(
            bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: identifiers, languages: ["en"])
    }

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

    @Test(
        "Refused requests are entries with their reasons, in three languages", arguments: Engine.servers,
        ["en", "de", "fr"])
    func problems(engine: Engine, language: String) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let words = ProblemWords.words(try #require(PageLanguage(rawValue: language)))
            try await store.registerProduct("unpriced", values: TestStore.productValues(tier: ""), by: holder)
            let phone = try await store.addDevice()
            let answer = try await phone.call(Self.products("apple", "<melon>", "unpriced"))
            #expect(answer.invalidProductIdentifiers == ["<melon>", "unpriced"])
            let page = try await browser.get("/connect/live").text
            for text in [words.fill(\.products, ["count": "2"]), words.incomplete, words.notRegistered] {
                #expect(page.contains(text.replacing("'", with: "&#39;")), "\(text)")
            }
            #expect(page.contains("&lt;melon&gt;") && !page.contains("<melon>") && page.utf8.count < 80_000)
            #expect(try await !browser.get("/connect/live?q=anna@example.com").text.contains("unpriced"))

            // An answer without a refusal writes nothing.
            _ = try await phone.call(Self.products("apple"))
            let count = try await store.context.read { db in try db.rows("SELECT at FROM sandbox_problem", []).count }
            #expect(count == 1)
        }
    }

    @Test("An app has twenty refusals a minute of a process, and keeps the newest thousand", arguments: Engine.servers)
    func bounded(engine: Engine) async throws {
        try await engine.withStore { store in
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            func count() async throws -> Int {
                try await store.context.read { db in try db.rows("SELECT at FROM sandbox_problem", []).count }
            }
            for _ in 0..<30 { await store.service.report(.verifyReceipt(status: 21004, reason: "a"), of: app) }
            await store.service.report(.verifyReceipt(status: 21004, reason: "a"), of: "com.example.unknown")
            #expect(try await count() == SandboxProblem.perMinute)
            for number in 0..<60 {
                store.clock.advance(by: .seconds(60))
                let subject = SandboxProblem.Subject.serverAPI(request: "GET /", code: number, message: "b")
                for _ in 0..<SandboxProblem.perMinute { await store.service.report(subject, of: app) }
            }
            #expect(
                try await (SandboxProblem.kept..<SandboxProblem.kept + 2 * SandboxProblem.perMinute).contains(count()))
            let newest = try await store.context.read { db in
                try SandboxProblem.newest(of: app, before: nil, limit: 1, db)
            }
            #expect(newest.first?.problem?.subject == .serverAPI(request: "GET /", code: 59, message: "b"))
        }
    }

    @Test("Errors of the App Store Server API and of /verifyReceipt are entries")
    func serverProblems() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let browser = try await ConnectBrowser(client, holder, store)
            let seller = try await TestSeller(store.context)
            let header: HTTPFields = [.authorization: try seller.authorization(at: store.clock.now)]
            let answer = try await client.get("/inApps/v1/transactions/2000000000000001", headers: header)
            #expect(answer.status == .notFound)
            let page = try await browser.get("/connect/live").text
            #expect(page.contains("GET /inApps/v1/transactions/") && page.contains("4040010"))

            try await MakingSharedSecrets(store.context, protection: .plain).make(
                .app, version: "", of: BundleIdentifier(TestStore.bundleIdentifier), by: holder)
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "1", as: try await store.addAccount())
            let receipt = try #require(try await phone.receiptAnswer().receipt)
            _ = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\",\"password\":\"guess\"}")
            let refused = try await browser.get("/connect/live").text
            #expect(refused.contains("21004") && !refused.contains("guess"))
        }
    }

    @Test("A stream sends the list, each change of it, and ends with the session", arguments: Engine.servers)
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

    @Test("A user has four streams, of which a fifth ends the oldest, a team has twelve, and a process has forty")
    func places() throws {
        let places = LivePlaces()
        func user(_ number: Int, of team: String) -> TeamUser {
            TeamUser(
                identifier: TeamUserIdentifier("\(team) \(number)"), team: TeamIdentifier(team), email: "", name: "",
                role: .admin, joined: WallTime(milliseconds: 0))
        }
        let own = try (0..<5).map { _ in try places.take(by: user(1, of: "own")) }
        #expect(own.map(\.isEnded) == [true, false, false, false, false] && places.count == 4)
        let others = try (0..<(LivePlaces.all - 4)).map { number in
            try places.take(by: user(number, of: "team \(number / LivePlaces.ofATeam)"))
        }
        #expect(throws: StoreFailure.self) { try places.take(by: user(0, of: "other")) }
        // A user with four gets a new one by ending an old one.
        let next = try places.take(by: user(1, of: "own"))
        #expect(places.count == LivePlaces.all && own[1].isEnded)
        places.free(next)
        #expect(throws: StoreFailure.self) { try places.take(by: user(12, of: "team 0")) }
        let other = try places.take(by: user(0, of: "other"))
        #expect(places.count == LivePlaces.all)
        withExtendedLifetime((own, others, other)) {}
    }

    @Test("A stream whose response is never written has no place")
    func unwritten() throws {
        let places = LivePlaces()
        let user = TeamUser(
            identifier: "1", team: "own", email: "", name: "", role: .admin, joined: WallTime(milliseconds: 0))
        for _ in 0...LivePlaces.all { _ = try places.take(by: user) }
        #expect(places.count == 0)
    }

    @Test("Each line of an event's text is data")
    func lines() {
        #expect(LiveStream.event("a\nb\n") == "data: a\ndata: b\ndata: \n\n")
    }
}
