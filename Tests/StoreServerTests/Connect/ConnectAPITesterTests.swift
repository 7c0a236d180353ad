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

/// The sandbox testers of Connect's API.
struct ConnectAPITesterTests {
    private func body(_ email: String) -> String {
        "{\"email\": \"\(email)\", \"password\": \"correct horse\", \"storefront\": \"USA\", \"name\": \"Anna\"}"
    }

    @Test("A program adds testers, changes one and removes it", arguments: Engine.servers)
    func whole(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .developer, of: holder, store)
            let added = try await program.send(.post, "testers", body("anna@testers.example"))
            #expect(added.status == .created, "\(added.text)")
            #expect(!added.text.contains("correct horse"))
            let path = "testers/\(try #require(try added.object()["tester"] as? String))"
            let change = "{\"switches\": {\"asksToBuy\": true}, \"storefront\": \"DEU\"}"
            let changed = try await program.send(.patch, path, change, tag: added.headers[.eTag])
            #expect(changed.status == .ok, "\(changed.text)")
            let values = try changed.object()
            #expect(values["storefront"] as? String == "DEU" && values["name"] as? String == "Anna")
            #expect((values["switches"] as? [String: Bool])?["asksToBuy"] == true)
            let late = try await program.send(.patch, path, "{\"name\": \"B\"}", tag: added.headers[.eTag])
            #expect(late.status == .conflict && late.headers[.eTag] == changed.headers[.eTag])
            // The same change again, as after a lost answer.
            #expect(try await program.send(.patch, path, change, tag: added.headers[.eTag]).status == .ok)
            let time = try await program.send(.get, path).object()["time"] as? String
            let moved = try await program.send(.post, "\(path)/clock", "{\"by\": \"1mo\"}")
            #expect(try moved.status == .ok && moved.object()["time"] as? String != time)
            let speed = try await program.send(.post, "\(path)/clock", "{\"speed\": \"month=5m\"}")
            #expect(try speed.object()["speed"] as? String == "month=5m")
            #expect(try await program.send(.delete, "\(path)/purchases").status == .noContent)
            #expect(try await program.send(.delete, path).status == .noContent)
            #expect(try await program.send(.get, path).status == .notFound)
            let log = try await store.service.teamReader.changes(as: holder).entries
            #expect(log.map(\.kind).contains(.testerRemoved) && log.allSatisfy { !$0.after.contains("correct horse") })
        }
    }

    @Test("Wrong values of testers are named, and lists have pages", arguments: Engine.servers)
    func wrong(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .admin, of: holder, store)
            let path = "testers/\(try await store.addAccount("anna@example.com").identifier)"
            let tag = try await program.send(.get, path).headers[.eTag]
            let attempts: [(method: HTTPRequest.Method, path: String, body: String, problems: [String])] = [
                (
                    .post, "testers", "{\"email\": \"x\"}",
                    ["email malformed", "password missing", "storefront missing"]
                ),
                (.post, "testers", body("anna@example.com"), ["email taken"]),
                (.patch, path, "{\"switches\": {\"sings\": true}}", ["switches.sings unknown"]),
                (.patch, path, "{\"switches\": {\"asksToBuy\": 1}}", ["switches.asksToBuy malformed"]),
                (.patch, path, "{\"storefront\": \"XXX\"}", ["storefront unknown"]),
                (.post, "\(path)/clock", "{}", ["by unknown"]),
                (.post, "\(path)/clock", "{\"by\": \"9y\"}", ["by unknown"]),
                (.post, "\(path)/clock", "{\"speed\": \"fast\"}", ["speed unknown"]),
                (.post, "\(path)/clock", "{\"speed\": \"real\", \"by\": \"1d\"}", ["by unknown"]),
                (.post, "\(path)/requests/1", "{\"decision\": \"ask\"}", ["decision unknown"]),
            ]
            for (method, path, body, problems) in attempts {
                let refused = try await program.send(method, path, body, tag: tag)
                #expect(refused.status == .badRequest, "\(body): \(refused.text)")
                #expect(try refused.problems == problems, "\(body)")
            }
            for number in 100..<152 { _ = try await store.addAccount("t\(number)@example.com") }
            let first = try await program.send(.get, "testers?search=t1").object()
            #expect((first["testers"] as? [Any])?.count == 50)
            let next = try #require(first["next"] as? String)
            let rest = try await program.send(.get, "testers?search=t1&after=\(next)").object()
            #expect((rest["testers"] as? [Any])?.count == 2 && rest["next"] == nil)
        }
    }

    @Test("A program begins a family, adds a child and approves its request", arguments: Engine.servers)
    func families(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .developer, of: holder, store)
            let anna = "testers/\(try await store.addAccount("anna@example.com").identifier)"
            let ben = try await store.addAccount("ben@example.com", asksToBuy: true)
            let begun = try await program.send(.post, "\(anna)/family")
            #expect((try begun.object()["family"] as? [Any])?.count == 1, "\(begun.text)")
            let child = "{\"email\": \"ben@example.com\", \"role\": \"child\"}"
            let added = try await program.send(.post, "\(anna)/family/members", child)
            let family = try #require(try added.object()["family"] as? [[String: Any]])
            #expect(family.map { $0["role"] as? String } == ["organiser", "child"])
            // The same call again, as after a lost answer.
            let again = try await program.send(.post, "\(anna)/family/members", child)
            #expect(try again.status == .ok && (again.object()["family"] as? [Any])?.count == 2, "\(again.text)")

            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "1").sheet)
            _ = try await store.service.buy(onSheet: sheet, as: ben, shown: nil)
            let path = "testers/\(ben.identifier)"
            let waiting = try #require(try await program.send(.get, path).object()["waiting"] as? [[String: Any]])
            #expect(waiting.map { $0["product"] as? String } == ["apple"])
            let transaction = try #require(waiting.first?["transaction"] as? String)
            let decided = try await program.send(
                .post, "\(path)/requests/\(transaction)", "{\"decision\": \"approve\"}")
            #expect(try decided.status == .ok && (decided.object()["waiting"] as? [Any])?.isEmpty == true)
            #expect(try await store.count("purchase") == 1)
            #expect(try await program.send(.delete, "\(path)/family/membership").status == .ok)
            let ended = try await program.send(.delete, "\(anna)/family")
            #expect((try ended.object()["family"] as? [Any])?.isEmpty == true, "\(ended.text)")
        }
    }

    @Test("An approval whose payment is declined answers 402, and the request keeps waiting", arguments: Engine.servers)
    func declined(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .developer, of: holder, store)
            let ben = try await store.addAccount("ben@example.com", asksToBuy: true)
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "1").sheet)
            _ = try await store.service.buy(onSheet: sheet, as: ben, shown: nil)
            let path = "testers/\(ben.identifier)"
            let asked = try await program.send(.get, path)
            let waiting = try #require(try asked.object()["waiting"] as? [[String: Any]])
            let transaction = try #require(waiting.first?["transaction"] as? String)
            var tag = asked.headers[.eTag]
            for declines in [true, false] {
                let changed = try await program.send(
                    .patch, path, "{\"switches\": {\"declinesPayments\": \(declines)}}", tag: tag)
                #expect(changed.status == .ok, "\(changed.text)")
                tag = changed.headers[.eTag]
                let decided = try await program.send(
                    .post, "\(path)/requests/\(transaction)", "{\"decision\": \"approve\"}")
                #expect(decided.status.code == (declines ? 402 : 200), "\(decided.text)")
                if declines { #expect(decided.code == "declined") }
                let left = try await program.send(.get, path).object()["waiting"] as? [Any]
                #expect(left?.count == (declines ? 1 : 0))
                #expect(try await store.count("purchase") == (declines ? 0 : 1))
            }
        }
    }

    @Test("Production has no testers")
    func production() async throws {
        try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            try await store.withHTTP { client in
                let program = try await ConnectProgram(client, .admin, of: try await store.setUpTeam(), store)
                #expect(try await program.send(.get, "testers").status == .notFound)
                let refused = try await program.send(.post, "testers", body("anna@example.com"))
                #expect(refused.status == .notFound)
            }
        }
    }
}
