// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Who tries a page or a form of Connect.
enum ConnectVisitor: Hashable, CaseIterable, Sendable {
    case signedOut
    /// The account holder of another team.
    case otherTeam
    /// A user of the team.
    case role(TeamRole)

    static let allCases: [ConnectVisitor] = [.signedOut] + TeamRole.allCases.map(ConnectVisitor.role) + [.otherTeam]

    func may(_ attempt: ConnectRoleTests.Attempt) -> Bool {
        switch self {
        case .signedOut: false
        case .otherTeam: !attempt.namesObject
        case .role(let role): attempt.action.map(role.may) ?? true
        }
    }
}

/// Two teams with their users, each signed in in a browser, and with the
/// objects of one team that attempts name.
struct ConnectTeams: Sendable {
    private var browsers: [ConnectVisitor: ConnectBrowser] = [:]
    /// The identifiers of objects, by the names that paths and forms have for
    /// them.
    private var values: [String: String] = [:]

    init(
        in store: TestStore, _ client: any TestClientProtocol, naming attempts: [ConnectRoleTests.Attempt],
        of visitors: [ConnectVisitor] = ConnectVisitor.allCases
    ) async throws {
        let holder = try await store.setUpTeam()
        let other =
            visitors.contains(.otherTeam)
            ? try await store.setUpTeam("other", holder: "holder@other.example") : nil
        values = try await Self.values(for: attempts, in: store, by: holder)
        for visitor in visitors {
            let user: TeamUser? =
                switch visitor {
                case .signedOut: nil
                case .otherTeam: other
                case .role(.accountHolder): holder
                case .role(let role): try await store.addUser(role, to: holder)
                }
            browsers[visitor] = try await ConnectBrowser(client, user, store)
        }
    }

    /// Opens the page or sends the form of an attempt.
    func request(_ attempt: ConnectRoleTests.Attempt, by visitor: ConnectVisitor) async throws -> TestResponse {
        try await #require(browsers[visitor]).request(filled(attempt.path), attempt.form?.mapValues(filled))
    }

    private func filled(_ text: String) -> String {
        values.reduce(text) { text, value in text.replacing(value.key, with: value.value) }
    }

    /// Makes the objects that attempts name, and no others: each takes several
    /// transactions.
    private static func values(
        for attempts: [ConnectRoleTests.Attempt], in store: TestStore, by holder: TeamUser
    ) async throws -> [String: String] {
        let texts = attempts.flatMap { [$0.path] + ($0.form?.values.map { $0 } ?? []) }
        func isNamed(_ names: String...) -> Bool {
            names.contains { name in texts.contains { $0.contains(name) } }
        }
        var values = [":app": TestStore.bundleIdentifier, ":product": "banana", ":number": "1"]
        if isNamed(":transaction") {
            values[":transaction"] = try await store.buyWithNotification().apple.rawValue
            values[":notification"] = try await ListingNotifications(store.context)().first?.notification.identifier
        }
        if isNamed(":user") {
            values[":user"] = try await store.addUser(.developer, to: holder, email: "target@example.com")
                .identifier.rawValue
        }
        if isNamed("invited@example.com") {
            _ = try await store.service.inviting()(
                email: "invited@example.com", role: "finance", language: "en", by: holder)
        }
        if isNamed(":app") { try await store.registerProduct(by: holder) }
        if isNamed("submit", "/submission") { try await store.addScreenshot(of: "banana", by: holder) }
        if isNamed("/agreements") { try await PublishingContract(store.context)("Sellers get 70 percent.", days: 0) }
        if isNamed(":app"), isNamed("image", "/promotion", ":digest") {
            values[":digest"] = try await store.addImages(of: "banana", by: holder)
        }
        if isNamed(":batch") { values[":batch"] = try await store.makeCodes(by: holder) }
        if isNamed(":key") {
            values[":key"] = try await store.service.managingTeamKeys()
                .make(named: "Server", for: "in-app-purchase", role: "", by: holder).key.identifier
        }
        if isNamed(":tester") {
            values[":tester"] = try await store.addAccount("tester@example.com").identifier.rawValue
        }
        if isNamed(":item") { values[":item"] = try await addItem(to: store, by: holder) }
        if isNamed("/notifications") {
            values[":address"] = try await ConnectRoleTests.addAddress(in: store, by: holder)
        }
        return values
    }

    private static func addItem(to store: TestStore, by holder: TeamUser) async throws -> String {
        var song = Item.Values()
        (song.kind, song.version, song.link, song.price) = ("song", "1", "https://seller.example/song", "1")
        song.texts = [Product.Localization(locale: "en_US", title: "Song", description: "")]
        return String(try await store.service.registeringItem().add(song, by: holder).identifier)
    }
}
