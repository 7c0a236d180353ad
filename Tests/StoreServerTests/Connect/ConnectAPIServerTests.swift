// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The notification addresses and the shared secrets of Connect's API.
struct ConnectAPIServerTests {
    private static let app = "apps/\(TestStore.bundleIdentifier)"
    private static let addresses = "\(app)/notification-addresses"
    private static let test = "\(app)/notification-test"
    private static let secrets = "\(app)/secrets"

    private func body(
        _ url: String = "https://seller.example/", version: Int = 2, environment: String = "Sandbox"
    ) -> String {
        "{\"url\": \"\(url)\", \"version\": \(version), \"environment\": \"\(environment)\"}"
    }

    @Test("A program adds an address, replaces it, tests it and removes it", arguments: Engine.servers)
    func replaced(engine: Engine) async throws {
        let receiver = RecordedNotifications { $0.url.hasSuffix("/broken") ? .unsuccessfulStatus : .success }
        try await engine.withHTTP(notifications: receiver) { store, client in
            let holder = try await store.setUpTeam()
            let program = try await ConnectProgram(client, .developer, of: holder, store)
            #expect(try await program.send(.post, Self.test).status == .badRequest)
            #expect(try await program.send(.get, Self.test).status == .notFound)
            for _ in 0..<2 {
                let added = try await program.send(.post, Self.addresses, body("https://seller.example/broken"))
                #expect(added.status == .created && added.headers[.eTag] == "\"2\"", "\(added.text)")
            }
            let listed = try #require(
                try await program.send(.get, Self.addresses).object()["addresses"] as? [[String: Any]])
            #expect(listed.count == 1 && listed[0]["environment"] as? String == "Sandbox")
            let path = "\(Self.addresses)/\(try #require(listed[0]["address"] as? String))"

            let ordered = try await program.send(.post, Self.test)
            #expect(try ordered.status == .ok && ordered.object()["type"] as? String == "TEST", "\(ordered.text)")
            // It waits for its first attempt: no other one is ordered.
            let again = try await program.send(.post, Self.test)
            #expect(
                try again.object()["notification"] as? String == ordered.object()["notification"] as? String)
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            #expect(receiver.kinds == ["TEST"])
            let tested = try await program.send(.get, Self.test).object()
            let delivery = try #require((tested["deliveries"] as? [[String: Any]])?.first)
            let attempt = try #require((delivery["attempts"] as? [[String: Any]])?.first)
            #expect(attempt["result"] as? String == "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
            #expect(attempt["status"] as? Int == 500)

            let wrong = try await program.send(.put, path, body(), tag: "\"1\"")
            #expect(wrong.status == .conflict && wrong.headers[.eTag] == "\"2\"")
            #expect(try wrong.saved()["url"] as? String == "https://seller.example/broken")
            #expect(try await program.send(.put, path, body()).status == .badRequest)
            var names: Set<String> = []
            // The second is the same request after a lost answer.
            for _ in 0..<2 {
                let replaced = try await program.send(
                    .put, path, body(version: 1, environment: "Production"), tag: "\"2\"")
                #expect(replaced.status == .ok && replaced.headers[.eTag] == "\"1\"", "\(replaced.text)")
                names.insert(try #require(try replaced.object()["address"] as? String))
            }
            #expect(names.count == 1)
            let late = try await program.send(.put, path, body("https://other.example/"), tag: "\"2\"")
            #expect(late.status == .notFound)
            let moved = "\(Self.addresses)/\(names.first ?? "")"
            #expect(try await program.send(.get, moved).object()["url"] as? String == "https://seller.example/")
            #expect(try await program.send(.delete, moved).status == .noContent)
            #expect(try await program.send(.delete, moved).status == .notFound)
            let left = try await program.send(.get, Self.addresses).object()["addresses"] as? [Any]
            #expect(left?.isEmpty == true)
            let log = try await store.service.teamReader.changes(as: holder).entries
            #expect(log.filter { $0.kind == .notificationAddress && $0.user.hasPrefix("API key ") }.count == 3)
        }
    }

    @Test("Wrong addresses name their fields, and another team reaches the internet only")
    func refused() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let program = try await ConnectProgram(client, .developer, of: try await store.setUpTeam(), store)
            for (body, problems) in [
                ("{}", ["environment unknown", "url missing", "version unknown"]),
                (body("ftp://seller.example/"), ["url malformed"]), (body(version: 3), ["version unknown"]),
                ("{\"version\": \"2\", \"port\": 1}", ["port unknown", "version malformed"]),
            ] {
                let refused = try await program.send(.post, Self.addresses, body)
                #expect(try refused.status == .badRequest && refused.problems == problems, "\(refused.text)")
            }
            _ = try await program.send(.post, Self.addresses, body())
            let taken = try await program.send(.post, Self.addresses, body(version: 1))
            #expect(try taken.problems == ["url taken"])
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let foreign = try await ConnectProgram(client, .developer, of: other, store)
            let app = "{\"bundle\": \"com.example.other\", \"name\": \"Other\", \"sku\": \"O\", \"locale\": \"en_US\"}"
            #expect(try await foreign.send(.post, "apps", app).status == .created)
            let local = try await foreign.send(
                .post, "apps/com.example.other/notification-addresses", body("http://localhost:8000/"))
            #expect(try local.problems == ["url malformed"])
        }
    }

    @Test("A program makes the shared secrets, which no log has", arguments: Engine.servers)
    func made(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let program = try await ConnectProgram(client, .admin, of: try await store.setUpTeam(), store)
            let empty = try await program.send(.get, Self.secrets)
            #expect(try empty.object().isEmpty && empty.headers[.cacheControl] == "no-store")
            var (tag, made) = (empty.headers[.eTag], Set<String>())
            for owner in ["app", "master", "app"] {
                let former = tag
                let answer = try await program.send(.post, "\(Self.secrets)/\(owner)", tag: former)
                #expect(answer.status == .created && answer.headers[.cacheControl] == "no-store", "\(answer.text)")
                let secret = try #require(try answer.object()[owner] as? String)
                #expect(secret.wholeMatch(of: /[0-9a-f]{32}/) != nil && !made.contains(secret))
                made.insert(secret)
                tag = answer.headers[.eTag]
                // The same request after a lost answer has the secret that was made, and makes no other one.
                let again = try await program.send(.post, "\(Self.secrets)/\(owner)", tag: former)
                #expect(try again.status == .conflict && again.saved()[owner] as? String == secret)
                #expect(again.headers[.eTag] == tag && again.headers[.cacheControl] == "no-store")
            }
            let read = try await program.send(.get, Self.secrets)
            #expect(try read.headers[.eTag] == tag && read.object().count == 2)
            #expect(try await program.send(.post, "\(Self.secrets)/other", tag: tag).status == .notFound)
            #expect(try await program.send(.post, "\(Self.secrets)/app").status == .badRequest)
            let accepted = try await store.service.acceptedSecrets(for: BundleIdentifier(TestStore.bundleIdentifier))
            #expect(try read.object()["app"] as? String == accepted.app)
            let log = try await program.send(.get, "log").text
            for secret in made { #expect(!log.contains(secret)) }
        }
    }
}
