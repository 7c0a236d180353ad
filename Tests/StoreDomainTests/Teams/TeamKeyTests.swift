// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The keys of teams, and the tokens that they sign.
struct TeamKeyTests {
    private static let request = "GET /connect/v1/apps"

    /// The role of a token's key; the reason when the token is refused.
    private func role(_ authorization: String, _ store: TestStore, for request: String = request) async throws -> String
    {
        do {
            return try await store.service.authenticateConnect(authorization: authorization, for: request).user.role
                .rawValue
        } catch let refusal as JSONWebToken.Refusal {
            return refusal.reason
        }
    }

    @Test("A key of Connect's API acts with its role until it is revoked", arguments: Engine.stores)
    func connect(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let keys = try store.service.managingTeamKeys()
            let made = try await keys.make(named: " CI ", for: "connect", role: "developer", by: holder)
            let program = try TestSeller(made)
            let valid = try program.authorization(at: store.clock.now)
            #expect(made.key.name == "CI" && made.privateKey.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
            #expect(try await role(valid, store) == "developer")
            let actor = try await store.service.authenticateConnect(authorization: valid, for: Self.request).user

            try await store.registerProduct(by: actor)
            await #expect(throws: DomainError.self) { try await keys(as: actor) }
            let log = try await store.service.teamReader.changes(containing: "banana", as: holder).entries
            #expect(log.map(\.user) == ["API key \(made.key.identifier)"])

            try await keys.revoke(made.key.identifier, by: holder)
            #expect(try await role(valid, store).contains("revoked"))
            await #expect(throws: TeamKey.revokedKey) { try await store.service.appReader.apps(as: actor) }
            await #expect(throws: TeamKey.revokedKey) { try await store.registerProduct("kiwi", by: actor) }
            let kinds = try await store.service.teamReader.changes(containing: "CI", as: holder).entries.map(\.kind)
            #expect(kinds == [.keyRevoked, .keyMade])
        }
    }

    @Test("A token with a wrong field, of another key or for other requests is refused", arguments: Engine.stores)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let keys = try store.service.managingTeamKeys()
            let program = try TestSeller(try await keys.make(named: "A", for: "connect", role: "admin", by: holder))
            let ofOther = try TestSeller(try await keys.make(named: "B", for: "connect", role: "admin", by: other))
            let server = try TestSeller(
                try await keys.make(named: "C", for: "in-app-purchase", role: "", by: holder))
            let second = store.clock.now.milliseconds / 1000
            let refused: [(claims: [String: String], reason: String)] = [
                (["iss": "\"\(ofOther.issuer)\""], "issuer"), (["iss": ""], "\"iss\""), (["aud": "\"x\""], "audience"),
                (["exp": "\(second)"], "expired"), (["exp": "\(second + 1201)"], "20 minutes"),
                (["iat": "", "exp": "\(second + 1201)"], "20 minutes"), (["iat": "\(second + 100)"], "future"),
                (["scope": "[]"], "scope"), (["scope": "[\"POST /connect/v1/apps\"]"], "scope"),
                (["scope": "\"GET\""], "another type"),
            ]
            for (claims, reason) in refused {
                let text = try await role(try program.authorization(at: store.clock.now, claims: claims), store)
                #expect(text.contains(reason), "\(claims): \(text)")
            }
            let accepted = [
                ["scope": "[\"\(Self.request)\"]"], ["bid": ""], ["exp": "\(second + 1200)"],
                ["iat": "", "exp": "\(second + 1200)"],
            ]
            for claims in accepted {
                let text = try await role(try program.authorization(at: store.clock.now, claims: claims), store)
                #expect(text == "admin", "\(claims): \(text)")
            }
            let unsigned = try program.authorization(at: store.clock.now, signedBy: ofOther.key)
            #expect(try await role(unsigned, store).contains("isn't signed"))
            for kid in ["\"UNKNOWN\"", "\"\\u0000\"", "\"\(String(repeating: "K", count: 200))\""] {
                let unknown = try program.authorization(at: store.clock.now, header: ["kid": kid])
                #expect(try await role(unknown, store).contains("doesn't have"))
            }
            #expect(try await role(try server.authorization(at: store.clock.now), store).contains("In-App Purchases"))
            let valid = try program.authorization(at: store.clock.now)
            store.clock.advance(by: .seconds(301))
            #expect(try await role(valid, store).contains("expired"))
        }
    }

    @Test(
        "The key of an app's file opens no server's API, and the team lists and revokes it", arguments: Engine.stores)
    func ofFile(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let seller = try await TestSeller(store.context, keyIdentifier: "OFTHESTORE")
            let pair = """
                "subscriptionOffersKeyPair" : { "id" : "5509FCF1",
                  "privateKey" : "\(seller.key.derRepresentation.base64EncodedString())" },
                "version" :
                """
            try await store.sell(TestStore.catalogue.replacing("\"version\" :", with: pair))
            let (keys, app) = (try store.service.managingTeamKeys(), BundleIdentifier(TestStore.bundleIdentifier))
            #expect(try await keys.ofFiles(as: holder).map(\.identifier) == ["5509FCF1"])
            #expect(try await keys.ofFiles(as: other).isEmpty)

            let byStore = try seller.authorization(at: store.clock.now)
            _ = try await store.service.authenticateServer(authorization: byStore)
            // The same private key under the identifier that the file gives.
            let byFile = try seller.authorization(at: store.clock.now, header: ["kid": "\"5509FCF1\""])
            await #expect(throws: (any Error).self) {
                _ = try await store.service.authenticateServer(authorization: byFile)
            }

            await #expect(throws: DomainError(.notFound, "")) {
                try await keys.revoke("5509FCF1", ofFileOf: app, by: other)
            }
            for _ in 0..<2 { try await keys.revoke("5509FCF1", ofFileOf: app, by: holder) }
            #expect(try await keys.ofFiles(as: holder).first?.revoked != nil)
            let log = try await store.service.teamReader.changes(containing: "5509FCF1", as: holder).entries
            #expect(log.map(\.kind) == [.keyRevoked])
        }
    }

    @Test("A key for In-App Purchases works for its team's apps, with its team's issuer", arguments: Engine.stores)
    func inAppPurchases(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            _ = try await store.service.registeringApp()(
                AppRegistration.Values(
                    bundleIdentifier: "com.example.bag", name: "Bag", sku: "1", primaryLocale: "en_US"), by: other)
            let keys = try store.service.managingTeamKeys()
            let made = try await keys.make(named: "Server", for: "in-app-purchase", role: "admin", by: holder)
            #expect(made.key.role == nil)
            let server = try TestSeller(made)
            let operators = try await TestSeller(store.context)
            let connect = try TestSeller(try await keys.make(named: "CI", for: "connect", role: "admin", by: holder))
            #expect(server.issuer == connect.issuer && server.issuer != operators.issuer)

            func app(_ seller: TestSeller, _ claims: [String: String] = [:]) async throws -> String {
                do {
                    let value = try seller.authorization(at: store.clock.now, claims: claims)
                    return try await store.service.authenticateServer(authorization: value).app.rawValue
                } catch let refusal as ServerToken.Refusal {
                    return refusal.reason
                }
            }
            let bag = ["bid": "\"com.example.bag\""]
            #expect(try await app(server) == TestStore.bundleIdentifier)
            #expect(try await app(operators) == TestStore.bundleIdentifier)
            #expect(try await app(operators, bag) == "com.example.bag")
            #expect(try await app(server, bag).contains("doesn't have for this app"))
            #expect(try await app(connect).contains("doesn't have for this app"))
            #expect(try await app(server, ["iss": "\"\(operators.issuer)\""]).contains("issuer"))
            #expect(try await app(operators, ["iss": "\"\(server.issuer)\""]).contains("issuer"))
            try await keys.revoke(made.key.identifier, by: holder)
            #expect(try await app(server).contains("revoked"))
        }
    }

    @Test(
        "A user makes and revokes keys with roles that the user could give, of the own team", arguments: Engine.stores)
    func rights(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let admin = try await store.addUser(.admin, to: holder)
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let keys = try store.service.managingTeamKeys()
            await #expect(throws: DomainError.self) {
                try await keys.make(named: "A", for: "connect", role: "account-holder", by: admin)
            }
            let made = try await keys.make(named: "A", for: "connect", role: "account-holder", by: holder)
            await #expect(throws: DomainError.self) { try await keys.revoke(made.key.identifier, by: admin) }
            await #expect(throws: DomainError.self) { try await keys.revoke(made.key.identifier, by: other) }
            #expect(try await keys(as: admin).keys.map(\.revoked) == [nil])
            #expect(try await keys(as: other).keys.isEmpty)
            for (name, purpose, role, wanted) in [
                ("", "connect", "admin", ["name missing"]), ("A", "", "", ["purpose missing"]),
                ("A", "push", "", ["purpose unknown"]), ("A", "connect", "", ["role missing"]),
                ("A\u{7}", "connect", "boss", ["name malformed", "role unknown"]),
                (String(repeating: "x", count: 101), "in-app-purchase", "", ["name too-long"]),
            ] {
                do {
                    _ = try await keys.make(named: name, for: purpose, role: role, by: holder)
                    Issue.record("\(wanted)")
                } catch let error as InvalidFields {
                    #expect(error.problems.map { "\($0.field) \($0.kind.rawValue)" }.sorted() == wanted)
                }
            }
        }
    }

    @Test("A team has a number of valid keys, and the oldest revoked ones are deleted", arguments: Engine.stores)
    func limits(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let keys = try store.service.managingTeamKeys()
            func make(_ name: String) async throws -> String {
                store.clock.advance(by: .seconds(1))
                return try await keys.make(named: name, for: "in-app-purchase", role: "", by: holder).key.identifier
            }
            for number in 0..<TeamKey.limit { _ = try await make("v\(number)") }
            do {
                _ = try await make("one more")
                Issue.record("The team has more keys than its limit.")
            } catch let error as DomainError {
                #expect(error.reason == .keysFull)
            }
            for key in try await keys(as: holder).keys.dropFirst() { try await keys.revoke(key.identifier, by: holder) }
            for number in 0...TeamKey.revokedLimit {
                let key = try await make("r\(number)")
                if number < TeamKey.revokedLimit { try await keys.revoke(key, by: holder) }
            }
            #expect(try await store.count("team_key") == TeamKey.limit + TeamKey.revokedLimit)
            let names = try await keys(as: holder).keys.map(\.name)
            #expect(names.first == "v0" && names[1] == "r\(TeamKey.revokedLimit)" && !names.contains("v1"))
        }
    }

    @Test("Changes of keys that run twice have their effect once", arguments: Engine.stores)
    func twice(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(Forgetful(database))
            let holder = try await store.setUpTeam()
            let keys = try store.service.managingTeamKeys()
            let made = try await keys.make(named: "CI", for: "connect", role: "admin", by: holder)
            let value = try TestSeller(made).authorization(at: store.clock.now)
            let actor = try await store.service.authenticateConnect(authorization: value, for: Self.request).user
            // The key that acts.
            try await keys.revoke(made.key.identifier, by: actor)
            let kinds = try await store.service.teamReader.changes(as: holder).entries.map(\.kind)
            #expect(kinds == [.keyRevoked, .keyMade, .teamSetUp])
            #expect(try await store.count("team_key") == 1)
        }
    }
}
