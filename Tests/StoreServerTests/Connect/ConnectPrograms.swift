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

/// Programs with and without keys of two teams, and the objects of one team
/// that attempts name.
struct ConnectPrograms: Sendable {
    /// Who sends a request of Connect's API.
    enum Visitor: Hashable, CaseIterable, Sendable {
        case noKey, revokedKey, expiredToken, keyForPurchases, keyOfTheStore
        /// A key of another team's account holder.
        case otherTeam
        /// A key of the team.
        case role(TeamRole)

        private static let withoutValidKey: [Visitor] = [
            .noKey, .revokedKey, .expiredToken, .keyForPurchases, .keyOfTheStore,
        ]
        static let allCases = withoutValidKey + TeamRole.allCases.map(Visitor.role) + [.otherTeam]

        func may(_ attempt: ConnectAPIRoleTests.Attempt) -> Bool {
            switch self {
            case .role(let role): attempt.action.map(role.may) ?? true
            case .otherTeam: !attempt.namesObject && attempt.action?.isOfTheOperator != true
            default: false
            }
        }

        /// The answer to a request that this program may not send: the other
        /// team doesn't find the object, and a role lacks the right.
        var refusal: HTTPResponse.Status {
            switch self {
            case .role: .forbidden
            case .otherTeam: .notFound
            default: .unauthorized
            }
        }
    }

    private var programs: [Visitor: ConnectProgram] = [:]
    /// The identifiers of objects, by the names that paths have for them.
    private var objects: [String: String]
    /// The version of the tester's settings.
    private var settings: String?

    init(
        in store: TestStore, _ client: any TestClientProtocol, naming attempts: [ConnectAPIRoleTests.Attempt],
        of visitors: [Visitor] = Visitor.allCases
    ) async throws {
        let holder = try await store.setUpTeam()
        let other =
            visitors.contains(.otherTeam)
            ? try await store.setUpTeam("other", holder: "holder@other.example") : nil
        objects = try await Self.objects(of: attempts, in: store, by: holder)
        if attempts.contains(where: { $0.path.contains(":tester") }) {
            let tester = try await store.addAccount("tester@example.com")
            settings = "\"\(TesterSettings(tester).text.hashedVersion)\""
            objects["tester"] = tester.identifier.rawValue
        }
        for visitor in visitors {
            programs[visitor] = try await Self.program(visitor, client, store, holder, other)
        }
    }

    /// Sends the request of an attempt.
    func send(_ attempt: ConnectAPIRoleTests.Attempt, by visitor: Visitor) async throws -> TestResponse {
        var objects = objects
        if attempt.isAboutContent { objects["product"] = "book" }
        let path = attempt.path.split(separator: "/").map { part in
            part.first == ":" ? objects[String(part.dropFirst())] ?? String(part) : String(part)
        }.joined(separator: "/")
        return try await #require(programs[visitor]).send(
            attempt.method, path, attempt.body, file: attempt.file,
            tag: attempt.tag == ":settings" ? settings : attempt.tag)
    }

    private static func program(
        _ visitor: Visitor, _ client: any TestClientProtocol, _ store: TestStore, _ holder: TeamUser, _ other: TeamUser?
    ) async throws -> ConnectProgram {
        let keys = try store.service.managingTeamKeys()
        func seller(_ purpose: String, _ user: TeamUser) async throws -> TestSeller {
            try TestSeller(try await keys.make(named: "K", for: purpose, role: "account-holder", by: user))
        }
        func program(_ seller: TestSeller, _ claims: [String: String] = [:]) throws -> ConnectProgram {
            ConnectProgram(client, authorization: try seller.authorization(at: store.clock.now, claims: claims))
        }
        switch visitor {
        case .noKey: return ConnectProgram(client)
        case .revokedKey:
            let revoked = try await seller("connect", holder)
            try await keys.revoke(revoked.keyIdentifier, by: holder)
            return try program(revoked)
        case .expiredToken: return try program(try await seller("connect", holder), ["iat": "1", "exp": "2"])
        case .keyForPurchases: return try program(try await seller("in-app-purchase", holder))
        case .keyOfTheStore: return try program(try await TestSeller(store.context))
        case .otherTeam: return try program(try await seller("connect", #require(other)))
        case .role(let role): return try await ConnectProgram(client, role, of: holder, store)
        }
    }

    /// Makes the objects that attempts name, and no others: each takes several
    /// transactions.
    private static func objects(
        of attempts: [ConnectAPIRoleTests.Attempt], in store: TestStore, by holder: TeamUser
    ) async throws -> [String: String] {
        func isNamed(_ name: String) -> Bool { attempts.contains { $0.path.contains(name) } }
        var objects = [
            "app": TestStore.bundleIdentifier, "product": "banana", "email": "invited%40example.com", "kind": "code",
            "offer": "unknown", "change": "unknown", "number": "1", "refund": String(repeating: "5e", count: 16),
        ]
        if isNamed(":transaction") {
            objects["transaction"] = try await store.buyWithNotification().apple.rawValue
            objects["notification"] = try await ListingNotifications(store.context)().first?.notification.identifier
        }
        if isNamed("agreements") { try await PublishingContract(store.context)("Sellers get 70 percent.", days: 0) }
        if isNamed(":user") {
            objects["user"] = try await store.addUser(.developer, to: holder, email: "target@example.com")
                .identifier.rawValue
        }
        if isNamed(":email") {
            _ = try await store.service.inviting()(
                email: "invited@example.com", role: "finance", language: "en", by: holder)
        }
        if isNamed(":app") { try await store.registerProduct(by: holder) }
        // A screenshot is a change of the product, whose version the tags of other attempts have.
        if isNamed(":app"), attempts.contains(where: \.isAboutImages) {
            _ = try await store.addImages(of: "banana", by: holder)
        }
        if isNamed(":batch") { objects["batch"] = try await store.makeCodes(by: holder) }
        return objects.merging(try await ConnectAPIRoleTests.objects(of: attempts, in: store, by: holder)) { $1 }
    }
}
